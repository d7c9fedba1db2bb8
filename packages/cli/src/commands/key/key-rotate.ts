import type { Command } from '../../command.ts';
import { plainJson } from '../../plain.ts';
import { type HomeKey, reasonHelp, reasonOf, reasonOption, tellRecoveryKey } from './key.ts';

export const keyRotate: Command = {
  name: 'key rotate',
  summary: 'make a new signing key, or a new recovery key',
  usage: '[--now | --recovery] [--reason <words>] [--json]',
  help: `A new key is listed two days ahead (the limit signing_key_overlap_seconds), then it signs, and the one before retires two days
after. Nothing else is to be done.

Options:
  --now                  it signs at once, also one that is listed as the next; other homes see it with the next fetch
  --recovery             make a recovery key in place of the one before, and show it once
  ${reasonHelp}
  --json                 print what the home answered, for programs`,
  options: {
    now: { type: 'boolean' },
    recovery: { type: 'boolean' },
    ...reasonOption,
    json: { type: 'boolean' },
  },
  async run(context) {
    const { values, home, print } = context;
    const body = { now: values.now === true, recovery: values.recovery === true, ...reasonOf(context) };
    const answer = await home.call<{ key: HomeKey; recovery_key?: string }>(
      'POST',
      '/v0/admin/keys/rotate',
      body,
    );
    if (values.json === true) return print(plainJson(answer));
    const { key, recovery_key: secret } = answer;
    if (secret !== undefined) return print(`The recovery key is ${key.kid} now.\n${tellRecoveryKey(secret)}`);
    print(
      key.status === 'next'
        ? `The key ${key.kid} is listed as the next one. See when it signs with: npx hearth key list`
        : `The key ${key.kid} signs now.`,
    );
  },
};
