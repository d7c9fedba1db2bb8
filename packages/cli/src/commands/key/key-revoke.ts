import type { Command } from '../../command.ts';
import { plainJson } from '../../plain.ts';
import { type HomeKey, reasonHelp, reasonOf, reasonOption, recover, tellRecoveryKey } from './key.ts';

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'say that a key vouches for nothing any more; another takes its place at once',
  usage: '<kid> [--key <file>] [--reason <words>] [--json]',
  help: `<kid>                    the key, as npx hearth key list shows it

Options:
  --key <file>           the recovery key, with which the document that names the new key is signed at once
  ${reasonHelp}
  --json                 print what the home answered, for programs

What the key signed verifies no more, whenever it was signed. Other homes end it when they next fetch the document. They trust the new
key when they held it as the next for a day, or when the recovery key signed: without --key, do that with npx hearth key recover.`,
  arguments: ['kid'],
  options: { key: { type: 'string' }, ...reasonOption, json: { type: 'boolean' } },
  async run(context) {
    const { args, values, home, print } = context;
    const answer = await home.call<{ key: HomeKey; replaced_by?: HomeKey; recovery_key?: string }>(
      'POST',
      `/v0/admin/keys/${encodeURIComponent(args[0]!)}/revoke`,
      reasonOf(context),
    );
    if (typeof values.key === 'string') await recover(context, values.key);
    if (values.json === true) return print(plainJson(answer));
    const { key, replaced_by: instead, recovery_key: secret } = answer;
    const lines = [`The key ${key.kid} is revoked.`];
    if (instead !== undefined) lines.push(`In its place is ${instead.kid}.`);
    if (secret !== undefined) lines.push(tellRecoveryKey(secret));
    else if (typeof values.key === 'string') lines.push('The recovery key signed the document that says so.');
    else if (instead !== undefined)
      lines.push('Sign the document that says so: npx hearth key recover --key <file>');
    print(lines.join('\n'));
  },
};
