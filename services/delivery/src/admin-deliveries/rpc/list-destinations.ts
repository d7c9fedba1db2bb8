import { badField } from '@hearth/errors';
import { DestinationState } from '@hearth/proto/delivery/v1/admin_deliveries';
import { createShow } from '../actions/show-destinations.ts';
import { type AdminDeliveriesContext, pageSize } from '../context.ts';
import {
  type DestinationHealth,
  type DestinationPlace,
  listDestinations as readDestinations,
} from '../db/destinations.ts';
import type { AdminDeliveriesHandlers } from './index.ts';

const healths: Readonly<Record<number, DestinationHealth>> = {
  [DestinationState.ACTIVE]: 'active',
  [DestinationState.FAILING]: 'failing',
  [DestinationState.SUSPENDED]: 'suspended',
  [DestinationState.DISABLED]: 'disabled',
};

/** Those that fail for longest first. */
export const listDestinations =
  (context: AdminDeliveriesContext): AdminDeliveriesHandlers['listDestinations'] =>
  async ({ status, limit, cursor }, call) => {
    const size = pageSize(context, limit);
    const rows = await readDestinations(context.database.db, {
      health: status === undefined ? null : (healths[status] ?? null),
      after: cursor === undefined ? null : readPlace(cursor),
      now: new Date(context.clock.now()),
      limit: size + 1,
    });
    const shown = rows.slice(0, size);
    const last = shown.at(-1);
    const show = await createShow(context, shown, call);
    return {
      destinations: shown.map(show),
      nextCursor: rows.length > size && last !== undefined ? printPlace(last) : undefined,
    };
  };

function printPlace({ troubledSince, kind, id }: DestinationPlace): string {
  return Buffer.from(`${troubledSince?.getTime() ?? ''},${kind},${id}`).toString('base64url');
}

function readPlace(text: string): DestinationPlace {
  const plain = Buffer.from(text, 'base64url').toString();
  const match = /^(\d{0,14}),([12]),([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(plain);
  if (match === null)
    throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
  const [, since, kind, id] = match as unknown as [string, string, string, string];
  return { troubledSince: since === '' ? null : new Date(Number(since)), kind: Number(kind), id };
}
