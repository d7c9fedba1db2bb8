import { listCommand } from '../list-command.ts';
import { destinationStatuses, shortMoment } from './delivery.ts';

/** So many are counted. */
const mostCounted = 1_000;

const purposes: Readonly<Record<string, string>> = {
  app: 'events of an app',
  subscription: '-',
  mail: 'e-mail',
  callback: 'outcomes of asks',
};

export const deliveryDestinations = listCommand({
  name: 'delivery destinations',
  summary: 'list the addresses that are sent to, those that fail for longest first',
  operation: 'list_destinations',
  list: 'destinations',
  filters: {
    status: {
      help: `only these: active, failing (the last attempt failed), suspended (nearly everything to an AI
                         failed) or disabled (an app's failed for five days, or said that it is gone)`,
      words: destinationStatuses,
    },
  },
  help: `An address is shown by its origin alone. Resume one that is suspended or disabled with hearth delivery resume. The mail server
stands here as mail, and a person or an AI while callbacks of their asks wait.`,
  none: 'There are no such addresses.',
  columns: ['ADDRESS', 'OF', 'FOR', 'ORIGIN', 'STATUS', 'FAILS SINCE', 'LAST ERROR', 'WAITING', 'LAST TAKEN'],
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
