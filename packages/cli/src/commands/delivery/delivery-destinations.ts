import { listCommand } from '../list-command.ts';
import { destinationStatuses, shortMoment } from './delivery.ts';

const mostCounted = 1_000;

const purposes: Readonly<Record<string, string>> = {
  app: 'app events',
  subscription: '-',
  mail: 'email',
  callback: 'ask outcomes',
};

export const deliveryDestinations = listCommand({
  name: 'delivery destinations',
  summary: 'List delivery destinations, longest failing first',
  operation: 'list_destinations',
  list: 'destinations',
  filters: {
    status: {
      help: `filter by status: active, failing (last attempt failed), suspended (nearly all deliveries to
                         an AI failed) or disabled (an app's URL failed for five days, or answered that it is gone)`,
      words: destinationStatuses,
    },
  },
  help: `Only the origin of a URL is shown. To resume a suspended or disabled destination: hearth delivery resume. The mail server is listed as mail;
a person or an AI is listed while callbacks of their asks are pending.`,
  none: 'No matching destinations.',
  columns: [
    'DESTINATION',
    'OWNER',
    'PURPOSE',
    'ORIGIN',
    'STATUS',
    'FAILING SINCE',
    'LAST ERROR',
    'PENDING',
    'LAST DELIVERY',
  ],
  row: (destination) => [
    destination.id,
    destination.owner === '' ? '-' : destination.owner,
    destination.event ?? purposes[destination.kind] ?? '-',
    destination.origin ?? '-',
    destination.status,
    shortMoment(destination.failing_since),
    destination.last_error ?? '-',
    destination.waiting >= mostCounted ? `${mostCounted}+` : String(destination.waiting),
    shortMoment(destination.last_delivery_at),
  ],
});
