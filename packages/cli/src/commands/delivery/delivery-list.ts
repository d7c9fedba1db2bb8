import type { Command } from '../../command.ts';
import { readWord } from '../../read-options.ts';
import { deliveryStatuses } from './delivery.ts';
import { listHelp, listOptions, printDeliveries } from './list-deliveries.ts';

export const deliveryList: Command = {
  name: 'delivery list',
  summary: 'List sent and pending deliveries, newest first',
  usage:
    '[--status <status>] [--app <id> | --subscription <id> | --to <id>] [--since <time>] [--limit <number>]',
  help: `Lists app events and ask callbacks (kept for 30 days), and webhook wake-ups of AIs and emails (kept for 8 days).

Options:
  --status <status>      filter by status: ${deliveryStatuses.join(', ')}
${listHelp}

Contents are never shown. An app can read its own with GET /v0/app/deliveries/{id}.`,
  options: { status: { type: 'string' }, ...listOptions },
  async run(context) {
    const status = readWord(context.values, 'status', deliveryStatuses);
    await printDeliveries(context, status, 'No matching deliveries.');
  },
};
