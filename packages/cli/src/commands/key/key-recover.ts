import type { Command } from '../../command.ts';
import { UsageError } from '../../failure.ts';
import { reasonHelp, reasonOption } from '../reason.ts';
import { openRecoveryKey } from './key.ts';

export const keyRecover: Command = {
  name: 'key recover',
  summary: "sign the home's document with the recovery key, so that other homes trust the keys in it",
  usage: '--key <file> [--reason <words>]',
  help: `Options:
  --key <file>           the recovery key: the file recovery.key of the first start, or the line that a later one was shown as
  ${reasonHelp}, for the log of the home

The document is signed on this machine: the home gets the signature, not the key. It holds for seven days; while other homes may not have
seen it, it can be signed again.`,
  options: { key: { type: 'string' }, ...reasonOption },
  async run(context) {
    const { values, report } = context;
    if (typeof values.key !== 'string') throw new UsageError('--key is missing');
    const answer = await (await openRecoveryKey(context, values.key)).sign();
    report(
      answer,
      () => 'The document of the home is signed by the recovery key, and published. See: hearth key list',
    );
  },
};
