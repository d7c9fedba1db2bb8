import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { type Cursor, cursorOf, pageSize, readPage } from '@hearth/paging';
import type {
  AdminDeliveriesService,
  ListAllDeliveriesRequest,
} from '@hearth/proto/delivery/v1/admin_deliveries';
import type { UnaryHandler } from '@hearth/rpc';
import { mailServer, type ShownSend } from '../../shared/db/shown-kind.ts';
import { readDestination } from '../actions/destination-id.ts';
import { findAis } from '../actions/find-ais.ts';
import { kindOf } from '../actions/kind-of.ts';
import { showRow } from '../actions/show-row.ts';
import type { Context } from '../context.ts';
import { listSends, type NamedKind, type SendPlace } from '../db/shown-sends.ts';

/** Returns all deliveries, newest first; those to one destination by their number in its own log. */
export const listAllDeliveries =
  (context: Context): UnaryHandler<typeof AdminDeliveriesService.method.listAllDeliveries> =>
  async (request, call) => {
    const { rows, nextCursor } = await find(context, request);
    const askers = rows.flatMap(({ kind, destination }) => (kind === 'callback' ? destination : []));
    const ais = await findAis(context, askers, call);
    return { deliveries: rows.map((row) => showRow(row, (id) => ais.has(id))), nextCursor };
  };

interface Page {
  rows: ShownSend[];
  nextCursor: string | undefined;
}

async function find(context: Context, request: ListAllDeliveriesRequest): Promise<Page> {
  if (request.destination === undefined) return await ofKinds(context, context.kinds, request, null);
  const to = readDestination(request.destination);
  if (to === null)
    throw badField('destination', 'must be mail, or the id of an app, a subscription, a person or an AI');
  const kind = kindOf(context, to.kind);
  if (kind.list !== undefined) return await byNumbers(context, kind.list, request, to.id);
  return await ofKinds(context, [kind], request, to.id === mailServer ? null : to.id);
}

function filtersOf({ oldest }: Context, { status, since }: ListAllDeliveriesRequest) {
  return {
    status: status ?? null,
    since: since === undefined ? null : timestampDate(since),
    from: oldest(),
  };
}

function ofKinds(
  context: Context,
  kinds: readonly NamedKind[],
  request: ListAllDeliveriesRequest,
  destination: string | null,
): Promise<Page> {
  const filters = { ...filtersOf(context, request), destination };
  return readPage(context, request, {
    cursor,
    find: (before, limit) => listSends(context.database.db, kinds, { ...filters, before, limit }),
    placeOf: (row) => row,
  });
}

async function byNumbers(
  context: Context,
  list: NonNullable<NamedKind['list']>,
  request: ListAllDeliveriesRequest,
  destination: string,
): Promise<Page> {
  const before = request.cursor === undefined ? null : readNumber(request.cursor);
  const limit = pageSize(context.limits, request.limit);
  const question = { ...filtersOf(context, request), destination, before, limit };
  const { rows, next } = await list(context.database.db, question);
  return { rows, nextCursor: next?.toString() };
}

const places = cursorOf({ at: 'time', destination: 'uuid', id: 'uuid' });

/**
 * The list of one destination may use another cursor (numbers), so the error says which query the cursor
 * belongs to.
 */
const cursor: Cursor<SendPlace> = {
  print: places.print,
  read(text) {
    try {
      return places.read(text);
    } catch {
      throw wrongCursor();
    }
  },
};

function readNumber(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text);
  throw wrongCursor();
}

const wrongCursor = () =>
  badField('cursor', 'must be the next_cursor of an earlier answer to the same question, as it was given');
