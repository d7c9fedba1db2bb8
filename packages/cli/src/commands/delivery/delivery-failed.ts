import type { Command } from '../../command.ts';
import { listHelp, listOptions, printDeliveries } from './list-deliveries.ts';

export const deliveryFailed: Command = {
  name: 'delivery failed',
  summary: 'List failed deliveries (dead letters), newest first',
  usage: '[--app <id> | --subscription <id> | --to <id>] [--since <time>] [--limit <number>]',
  help: `The same as hearth delivery list --status failed.

Options:
${listHelp}

To send app events, emails and callbacks again: hearth delivery replay. An AI is told about missed wake-ups once its URL answers
again, and then polls for them.`,
  options: listOptions,
  async run(context) {
    await printDeliveries(context, 'failed', 'No failed deliveries.');
  },
};
