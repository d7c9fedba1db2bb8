import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { ListAllDeliveriesRequest } from '@hearth/proto/delivery/v1/admin_deliveries';
import { listAppDeliveries } from '../../shared/db/app-deliveries.ts';
import { type AdminDeliveriesContext, oldest, pageSize } from '../context.ts';
import {
  type AdminDeliveryRow,
  type DeliveryPlace,
  listSubscriptionDeliveries,
  listAllDeliveries as readDeliveries,
} from '../db/deliveries.ts';
import { showRow } from '../domain/show-row.ts';
import type { AdminDeliveriesHandlers } from './index.ts';

/** Of all, newest first by their moment; of one address, as its own log has them. */
export const listAllDeliveries =
  (context: AdminDeliveriesContext): AdminDeliveriesHandlers['listAllDeliveries'] =>
  async (request) => {
    const { destination } = request;
    const { rows, next } =
      destination === undefined ? await ofAll(context, request) : await ofOne(context, request, destination);
    return { deliveries: rows.map(showRow), nextCursor: next ?? undefined };
  };

interface Page {
  rows: AdminDeliveryRow[];
  next: string | null;
}

function filtersOf({ status, since }: ListAllDeliveriesRequest) {
  return { status: status ?? null, since: since === undefined ? null : timestampDate(since) };
}

async function ofAll(context: AdminDeliveriesContext, request: ListAllDeliveriesRequest): Promise<Page> {
  const limit = pageSize(context, request.limit);
  const rows = await readDeliveries(context.database.db, {
    ...filtersOf(request),
    from: oldest(context),
    before: request.cursor === undefined ? null : readPlace(request.cursor),
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next: rows.length > limit && last !== undefined ? printPlace(last) : null };
}

async function ofOne(
  context: AdminDeliveriesContext,
  request: ListAllDeliveriesRequest,
  destination: string,
): Promise<Page> {
  const { db } = context.database;
  const limit = pageSize(context, request.limit);
  const before = request.cursor === undefined ? null : readNumber(request.cursor);
  const question = { ...filtersOf(request), before, limit };
  const subscription = parseId('sub', destination);
  if (subscription !== null) {
    const { rows, next } = await listSubscriptionDeliveries(db, { ...question, subscription });
    return { rows, next: next === null ? null : String(next) };
  }
  const app = parseId('app', destination);
  if (app === null) throw badField('destination', 'must be the id of an app or of a subscription');
  const { rows, next } = await listAppDeliveries(db, { ...question, app, type: null, from: oldest(context) });
  const kind = 'app' as const;
  return {
    rows: rows.map((row) => ({ ...row, kind, destination: app })),
    next: next === null ? null : String(next),
  };
}

function printPlace({ at, destination, id }: DeliveryPlace): string {
  return Buffer.from(`${at.getTime()},${destination},${id}`).toString('base64url');
}

function readPlace(text: string): DeliveryPlace {
  const uuid = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
  const match = new RegExp(`^(\\d{1,14}),${uuid},${uuid}$`).exec(Buffer.from(text, 'base64url').toString());
  if (match === null) throw wrongCursor();
  const [, at, destination, id] = match as unknown as [string, string, string, string];
  return { at: new Date(Number(at)), destination, id };
}

function readNumber(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text);
  throw wrongCursor();
}

const wrongCursor = () =>
  badField('cursor', 'must be the next_cursor of an earlier answer to the same question, as it was given');
