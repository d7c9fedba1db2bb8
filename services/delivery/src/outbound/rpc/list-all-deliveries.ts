import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { type Cursor, cursorOf, pageSize, readPage } from '@hearth/paging';
import type {
  AdminDeliveriesService,
  ListAllDeliveriesRequest,
} from '@hearth/proto/delivery/v1/admin_deliveries';
import type { UnaryHandler } from '@hearth/rpc';
import { listAppDeliveries } from '../../shared/db/app-deliveries.ts';
import type { Context } from '../context.ts';
import {
  type AdminDeliveryRow,
  type DeliveryPlace,
  listSubscriptionDeliveries,
  listAllDeliveries as readDeliveries,
} from '../db/deliveries.ts';
import { showRow } from '../domain/show-row.ts';

/** All deliveries, newest first by their moment; those to one address as its own log has them. */
export const listAllDeliveries =
  (context: Context): UnaryHandler<typeof AdminDeliveriesService.method.listAllDeliveries> =>
  async (request) => {
    const { destination } = request;
    const { rows, nextCursor } =
      destination === undefined ? await ofAll(context, request) : await ofOne(context, request, destination);
    return { deliveries: rows.map(showRow), nextCursor };
  };

function filtersOf({ status, since }: ListAllDeliveriesRequest) {
  return { status: status ?? null, since: since === undefined ? null : timestampDate(since) };
}

function ofAll(context: Context, request: ListAllDeliveriesRequest) {
  const filters = { ...filtersOf(request), from: context.oldest() };
  return readPage(context, request, {
    cursor,
    find: (before, limit) => readDeliveries(context.database.db, { ...filters, before, limit }),
    placeOf: (row) => row,
  });
}

async function ofOne(
  { database, limits, oldest }: Context,
  request: ListAllDeliveriesRequest,
  destination: string,
): Promise<{ rows: AdminDeliveryRow[]; nextCursor: string | undefined }> {
  const before = request.cursor === undefined ? null : readNumber(request.cursor);
  const question = { ...filtersOf(request), before, limit: pageSize(limits, request.limit) };
  const subscription = parseId('sub', destination);
  if (subscription !== null) {
    const { rows, next } = await listSubscriptionDeliveries(database.db, { ...question, subscription });
    return { rows, nextCursor: next?.toString() };
  }
  const app = parseId('app', destination);
  if (app === null) throw badField('destination', 'must be the id of an app or of a subscription');
  const { rows, next } = await listAppDeliveries(database.db, {
    ...question,
    app,
    type: null,
    from: oldest(),
  });
  return {
    rows: rows.map((row) => ({ ...row, kind: 'app', destination: app })),
    nextCursor: next?.toString(),
  };
}

const places = cursorOf({ at: 'time', destination: 'uuid', id: 'uuid' });

/** The list of one address has another cursor, so that this one says to which question it belongs. */
const cursor: Cursor<DeliveryPlace> = {
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
