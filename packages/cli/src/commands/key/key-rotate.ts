import type { AnswerOf } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { UsageError } from '../../failure.ts';
import { reasonHelp, reasonOf, reasonOption } from '../reason.ts';
import { tellRecoveryKey } from './key.ts';

export const keyRotate: Command = {
  name: 'key rotate',
  summary: 'Create a new signing key or recovery key',
  usage: '[--now | --recovery] [--reason <text>]',
  help: `The new key is published for two days (limit signing_key_overlap_seconds) before it signs; the previous key is retired two days later. You
don't need to do anything else. With --reason compromised, the current key is revoked and replaced immediately, as with key revoke, which
can also sign the document with the recovery key.

Options:
  --now                  sign with the new key, or the already published next key, immediately; other homes see it when they next fetch
  --recovery             replace the recovery key, and show the new one once
  ${reasonHelp}, for the audit log`,
  options: {
    now: { type: 'boolean' },
    recovery: { type: 'boolean' },
    ...reasonOption,
  },
  async run(context) {
    const { values, home, report } = context;
    if (values.now === true && values.recovery === true)
      throw new UsageError('--now applies to signing keys; use either --now or --recovery');
    const body = { now: values.now === true, recovery: values.recovery === true, ...reasonOf(context) };
    const answer = await home.call('rotate_key', body);
    report(answer, () => tell(answer));
  },
};

function tell({ key, recovery_key: secret }: AnswerOf<'rotate_key'>): string {
  if (secret !== undefined) return `The recovery key is now ${key.kid}.\n${tellRecoveryKey(secret)}`;
  return key.status === 'next'
    ? `Published ${key.kid} as the next key. To see when it becomes active: hearth key list`
    : `Key ${key.kid} is active.`;
}
