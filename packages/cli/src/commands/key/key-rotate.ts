import type { AnswerOf } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { UsageError } from '../../failure.ts';
import { reasonHelp, reasonOf, reasonOption } from '../reason.ts';
import { tellRecoveryKey } from './key.ts';

export const keyRotate: Command = {
  name: 'key rotate',
  summary: 'make a new signing key, or a new recovery key',
  usage: '[--now | --recovery] [--reason <words>]',
  help: `A new key is listed two days ahead (the limit signing_key_overlap_seconds), then it signs, and the one before retires two days
after. Nothing else is to be done. With --reason compromised the key in use is revoked instead, and another takes its place at once, as by
key revoke, which signs the document with the recovery key besides.

Options:
  --now                  it signs at once, also one that is listed as the next; other homes see it with the next fetch
  --recovery             make a recovery key in place of the one before, and show it once
  ${reasonHelp}, for the log of the home`,
  options: {
    now: { type: 'boolean' },
    recovery: { type: 'boolean' },
    ...reasonOption,
  },
  async run(context) {
    const { values, home, report } = context;
    if (values.now === true && values.recovery === true)
      throw new UsageError('--now is of a signing key; give --now or --recovery');
    const body = { now: values.now === true, recovery: values.recovery === true, ...reasonOf(context) };
    const answer = await home.call('rotate_key', body);
    report(answer, () => tell(answer));
  },
};

function tell({ key, recovery_key: secret }: AnswerOf<'rotate_key'>): string {
  if (secret !== undefined) return `The recovery key is ${key.kid} now.\n${tellRecoveryKey(secret)}`;
  return key.status === 'next'
    ? `The key ${key.kid} is listed as the next one. See when it signs with: hearth key list`
    : `The key ${key.kid} signs now.`;
}
