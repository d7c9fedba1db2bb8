import type { Command } from '../../command.ts';
import { UsageError } from '../../failure.ts';
import { reasonHelp, reasonOption } from '../reason.ts';
import { openRecoveryKey } from './key.ts';

export const keyRecover: Command = {
  name: 'key recover',
  summary: "Sign the home's document with the recovery key, so that other homes trust its keys",
  usage: '--key <file> [--reason <text>]',
  help: `Options:
  --key <file>           the recovery key: recovery.key from the first start, or a file with the line shown when you rotated it
  ${reasonHelp}, for the audit log

The document is signed on this machine; the key is never sent to the home. The signature is valid for seven days. Sign again until all
other homes have seen it.`,
  options: { key: { type: 'string' }, ...reasonOption },
  async run(context) {
    const { values, report } = context;
    if (typeof values.key !== 'string') throw new UsageError('--key is required');
    const answer = await (await openRecoveryKey(context, values.key)).sign();
    report(
      answer,
      () => "Signed the home's document with the recovery key and published it. See: hearth key list",
    );
  },
};
