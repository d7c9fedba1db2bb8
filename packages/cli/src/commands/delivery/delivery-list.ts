import type { Command } from '../../command.ts';
import { readWord } from '../../read-options.ts';
import { deliveryStatuses } from './delivery.ts';
import { listHelp, listOptions, printDeliveries } from './list-deliveries.ts';

export const deliveryList: Command = {
  name: 'delivery list',
  summary: 'list what was sent or waits to be, the newest first',
  usage:
    '[--status <status>] [--app <id> | --subscription <id> | --to <id>] [--since <when>] [--limit <number>]',
  help: `Events of apps and callbacks of asks (kept 30 days), wake-ups of AIs over webhooks, and e-mails (8 days).

Options:
  --status <status>      only these: ${deliveryStatuses.join(', ')}
${listHelp}

The content is never shown. An app sees it itself, with GET /v0/app/deliveries/{id}.`,
  options: { status: { type: 'string' }, ...listOptions },
  async run(context) {
    const status = readWord(context.values, 'status', deliveryStatuses);
    await printDeliveries(context, status, 'Nothing of that kind was sent, or waits to be.');
  },
};
