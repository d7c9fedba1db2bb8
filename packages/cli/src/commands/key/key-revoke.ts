import type { AnswerOf } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { Failure, UsageError } from '../../failure.ts';
import { reasonHelp, reasonOf, reasonOption } from '../reason.ts';
import { openRecoveryKey, tellRecoveryKey } from './key.ts';

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'say that a key vouches for nothing any more; another takes its place at once',
  usage: '<kid> [--key <file>] [--reason <words>]',
  help: `<kid>                    the key, as hearth key list shows it

Options:
  --key <file>           the recovery key, with which the document that names the new key is signed at once
  ${reasonHelp}, for the log of the home

What the key signed verifies no more, whenever it was signed. Other homes end it when they next fetch the document. They trust the new
key when they held it as the next for a day, or when the recovery key signed: without --key, do that with hearth key recover.`,
  arguments: ['kid'],
  options: { key: { type: 'string' }, ...reasonOption },
  async run(context) {
    const { args, values, home, report } = context;
    const recovery = typeof values.key === 'string' ? await openRecoveryKey(context, values.key) : undefined;
    if (recovery?.kid === args[0]) {
      throw new UsageError(
        '--key is the key that shall be revoked; leave it out, the signing key vouches for the next recovery key',
      );
    }
    const answer = await home.call('revoke_key', { kid: args[0]!, ...reasonOf(context) });
    const problem = await recovery?.sign().then(() => undefined, failureOf);
    report(answer, () => tell(answer, recovery !== undefined && problem === undefined));
    if (problem !== undefined) throw new Failure(`the recovery key did not sign yet: ${problem.message}`);
  },
};

/** A failure is told behind what was done: the key is revoked by then. */
function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

function tell(
  { key, replaced_by: instead, recovery_key: secret }: AnswerOf<'revoke_key'>,
  signed: boolean,
): string {
  const lines = [`The key ${key.kid} is revoked.`];
  if (instead !== undefined) lines.push(`In its place is ${instead.kid}.`);
  if (secret !== undefined) lines.push(tellRecoveryKey(secret));
  else if (signed) lines.push('The recovery key signed the document that says so.');
  else if (instead !== undefined)
    lines.push('Sign the document that says so: hearth key recover --key <file>');
  return lines.join('\n');
}
