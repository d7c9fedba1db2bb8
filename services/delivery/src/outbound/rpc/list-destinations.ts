import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import { type Cursor, readPage } from '@hearth/paging';
import { type AdminDeliveriesService, DestinationState } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { UnaryHandler } from '@hearth/rpc';
import { createShow } from '../actions/show-destinations.ts';
import type { Context } from '../context.ts';
import {
  type DestinationHealth,
  type DestinationPlace,
  listDestinations as readDestinations,
} from '../db/shown-destinations.ts';

const healths: Readonly<Record<number, DestinationHealth>> = {
  [DestinationState.ACTIVE]: 'active',
  [DestinationState.FAILING]: 'failing',
  [DestinationState.SUSPENDED]: 'suspended',
  [DestinationState.DISABLED]: 'disabled',
};

/** Longest failing first. */
export const listDestinations =
  (context: Context): UnaryHandler<typeof AdminDeliveriesService.method.listDestinations> =>
  async (request, call) => {
    const { clock, database } = context;
    const { status } = request;
    const health = status === undefined ? null : (healths[status] ?? null);
    const { rows, nextCursor } = await readPage(context, request, {
      cursor,
      find: (after, limit) =>
        readDestinations(database.db, context.kinds, { health, after, now: new Date(clock.now()), limit }),
      placeOf: (row) => row,
    });
    const show = await createShow(context, rows, call);
    return { destinations: rows.map(show), nextCursor };
  };

/** The time is empty for destinations that do not fail. */
const cursor: Cursor<DestinationPlace> = {
  print: ({ troubledSince, number, id }) =>
    Buffer.from(`${troubledSince?.getTime() ?? ''},${number},${id}`).toString('base64url'),
  read(text) {
    const [since, number, id] = Buffer.from(text, 'base64url').toString().split(',') as [
      string,
      string,
      string,
    ];
    if (!/^\d{0,14},[1-4]$/.test(`${since},${number}`) || !isUuid(id))
      throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
    return { troubledSince: since === '' ? null : new Date(Number(since)), number: Number(number), id };
  },
};
