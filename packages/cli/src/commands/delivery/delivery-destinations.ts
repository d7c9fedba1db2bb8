import type { Destination } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { readPages } from '../../paged.ts';
import { readLimit, readWord } from '../../read-options.ts';
import { table } from '../../table.ts';
import { destinationStatuses, shortMoment } from './delivery.ts';

/** So many are counted. */
const mostCounted = 1_000;

export const deliveryDestinations: Command = {
  name: 'delivery destinations',
  summary: 'list the addresses that are sent to, those that fail for longest first',
  usage: '[--status <status>] [--limit <number>]',
  help: `Options:
  --status <status>      only these: active, failing (the last attempt failed), suspended (nearly everything to an AI
                         failed) or disabled (an app's failed for five days, or said that it is gone)
  --limit <number>       show so many at most, up to 10000; 100 when not given

An address is shown by its origin alone. Resume one that is suspended or disabled with npx hearth delivery resume. The mail server
stands here as mail, and a person or an AI while callbacks of their asks wait.`,
  options: { status: { type: 'string' }, limit: { type: 'string' } },
  async run({ values, home, report }) {
    const status = readWord(values, 'status', destinationStatuses);
    const limit = readLimit(values);
    const found = await readPages(home, 'list_destinations', 'destinations', { status }, limit);
    const shown = found.slice(0, limit);
    const more = found.length > limit ? '\n\nThere are more. Show them with a higher --limit.' : '';
    report(shown, () => (shown.length === 0 ? 'There are no such addresses.' : tell(shown) + more));
  },
};

const purposes: Readonly<Record<string, string>> = {
  app: 'events of an app',
  subscription: '-',
  mail: 'e-mail',
  callback: 'outcomes of asks',
};

function tell(destinations: readonly Destination[]): string {
  const rows = destinations.map((destination) => [
    destination.id,
    destination.owner === '' ? '-' : destination.owner,
    destination.event ?? purposes[destination.kind] ?? '-',
    destination.origin ?? '-',
    destination.status,
    shortMoment(destination.failing_since),
    destination.last_error ?? '-',
    destination.waiting >= mostCounted ? `${mostCounted}+` : String(destination.waiting),
    shortMoment(destination.last_delivery_at),
  ]);
  const heading = [
    'ADDRESS',
    'OF',
    'FOR',
    'ORIGIN',
    'STATUS',
    'FAILS SINCE',
    'LAST ERROR',
    'WAITING',
    'LAST TAKEN',
  ];
  return table(heading, rows);
}
