import type { AnswerOf } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { Failure, UsageError } from '../../failure.ts';
import { reasonHelp, reasonOf, reasonOption } from '../reason.ts';
import { openRecoveryKey, tellRecoveryKey } from './key.ts';

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Revoke a key and replace it immediately',
  usage: '<kid> [--key <file>] [--reason <text>]',
  help: `<kid>                    the key, as shown by hearth key list

Options:
  --key <file>           the recovery key; signs the document with the new key immediately
  ${reasonHelp}, for the audit log

Nothing signed with a revoked key is valid any longer, whenever it was signed. Other homes learn of it when they next fetch the document.
They trust the new key if they have listed it as the next key for a day, or if the recovery key signed the document. If you leave out
--key, sign with hearth key recover.`,
  arguments: ['kid'],
  options: { key: { type: 'string' }, ...reasonOption },
  async run(context) {
    const { args, values, home, report } = context;
    const recovery = typeof values.key === 'string' ? await openRecoveryKey(context, values.key) : undefined;
    if (recovery?.kid === args[0]) {
      throw new UsageError(
        '--key is the key to revoke; leave it out: the signing key signs for the new recovery key',
      );
    }
    const answer = await home.call('revoke_key', { kid: args[0]!, ...reasonOf(context) });
    const problem = await recovery?.sign().then(() => undefined, failureOf);
    report(answer, () => tell(answer, recovery !== undefined && problem === undefined));
    if (problem !== undefined)
      throw new Failure(
        `the key is revoked, but the document is not signed with the recovery key yet: ${problem.message}`,
      );
  },
};

/** Returns the failure to throw after the report, because the key is already revoked. */
function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

function tell(
  { key, replaced_by: instead, recovery_key: secret }: AnswerOf<'revoke_key'>,
  signed: boolean,
): string {
  const lines = [`Revoked key ${key.kid}.`];
  if (instead !== undefined) lines.push(`It is replaced by ${instead.kid}.`);
  if (secret !== undefined) lines.push(tellRecoveryKey(secret));
  else if (signed) lines.push('Signed the new document with the recovery key.');
  else if (instead !== undefined) lines.push('Now sign the new document: hearth key recover --key <file>');
  return lines.join('\n');
}
