import type { Command } from '../../command.ts';
import { listHelp, listOptions, printDeliveries } from './list-deliveries.ts';

export const deliveryFailed: Command = {
  name: 'delivery failed',
  summary: 'list the dead letters: what was given up, the newest first',
  usage: '[--app <id> | --subscription <id> | --to <id>] [--since <when>] [--limit <number>]',
  help: `The same as hearth delivery list --status failed.

Options:
${listHelp}

Send the events of an app, e-mails and callbacks once more with hearth delivery replay. An AI is told that it missed
something once its address answers again, and polls for it.`,
  options: listOptions,
  async run(context) {
    await printDeliveries(context, 'failed', 'Nothing was given up.');
  },
};
