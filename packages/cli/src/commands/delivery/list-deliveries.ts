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

export const listHelp = `  --app <id>             only to this app
  --subscription <id>    only over this subscription of an AI
  --to <id>              only mail, or the callbacks of this person or AI
  --since <when>         only what happened since: 2026-03-01T12:00:00Z, or so long ago, such as 6h or 2d
  --limit <number>       show so many at most, up to 10000; 100 when not given`;

/** Prints deliveries as the options say. @param nothing what is said when there are none */
export async function printDeliveries(
  { values, home, deps, report }: CommandContext,
  status: AdminDelivery['status'] | undefined,
  nothing: string,
): Promise<void> {
  const { app, subscription, to, since } = values as Readonly<Record<string, string | undefined>>;
  if (app !== undefined && subscription !== undefined)
    throw new UsageError('give --app or --subscription, not both');
  if (to !== undefined && (app ?? subscription) !== undefined)
    throw new UsageError('give --to, --app or --subscription, not several');
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
      ? '\n\nThere are more. Show them with a higher --limit, or fewer with --since or --app.'
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
