import type { AdminDelivery } from '@hearth/sdk';
import type { CommandContext } from '../../command.ts';
import { UsageError } from '../../failure.ts';
import { readMoment } from '../../moment.ts';
import { readPages } from '../../paged.ts';
import { readLimit } from '../../read-options.ts';
import { table } from '../../table.ts';
import { shortMoment } from './delivery.ts';

export const listOptions = {
  app: { type: 'string' },
  subscription: { type: 'string' },
  to: { type: 'string' },
  since: { type: 'string' },
  limit: { type: 'string' },
} as const;

export const listHelp = `  --app <id>             filter by app
  --subscription <id>    filter by subscription of an AI
  --to <id>              filter by destination: mail, or the person or AI for callbacks
  --since <time>         only those since a time, e.g. 2026-03-01T12:00:00Z, or a duration ago, e.g. 6h or 2d
  --limit <number>       maximum number of results, up to 10000 (default: 100)`;

/** Prints deliveries as the options say. @param nothing what to print if there are none */
export async function printDeliveries(
  { values, home, deps, report }: CommandContext,
  status: AdminDelivery['status'] | undefined,
  nothing: string,
): Promise<void> {
  const { app, subscription, to, since } = values as Readonly<Record<string, string | undefined>>;
  if (app !== undefined && subscription !== undefined)
    throw new UsageError('use either --app or --subscription');
  if (to !== undefined && (app ?? subscription) !== undefined)
    throw new UsageError('use only one of --to, --app and --subscription');
  const destination = app ?? subscription ?? to;
  const limit = readLimit(values);
  const filters = {
    ...{ status, destination },
    ...(since !== undefined && { since: readMoment('since', since, deps.clock) }),
  };
  const found = await readPages(home, 'list_all_deliveries', 'deliveries', filters, limit);
  const shown = found.slice(0, limit);
  const more =
    found.length > limit
      ? '\n\nMore results are available; raise --limit, or filter with --since or --app.'
      : '';
  report(shown, () => (shown.length === 0 ? nothing : tell(shown) + more));
}

function tell(deliveries: readonly AdminDelivery[]): string {
  const rows = deliveries.map((delivery) => [
    shortMoment(delivery.at),
    delivery.destination,
    delivery.id,
    delivery.type,
    delivery.status,
    String(delivery.attempt_count),
    delivery.last_error ?? '-',
    shortMoment(delivery.next_attempt_at),
  ]);
  return table(['AT', 'TO', 'EVENT', 'TYPE', 'STATUS', 'TRIES', 'LAST ERROR', 'NEXT TRY'], rows);
}
