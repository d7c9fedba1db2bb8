import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import { readType } from '../../shared/actions/read-type.ts';
import { listAppDeliveries } from '../../shared/db/app-deliveries.ts';
import { findAppStream } from '../../shared/db/app-streams.ts';
import { showDelivery } from '../../shared/domain/show-delivery.ts';
import { type AppDeliveriesContext, callingApp, oldest } from '../context.ts';
import type { AppDeliveriesHandlers } from './index.ts';

const usualPage = 20;

/** What was sent to the calling app, or waits to be, newest first. */
export const listDeliveries =
  (context: AppDeliveriesContext): AppDeliveriesHandlers['listDeliveries'] =>
  async ({ status, type, since, limit, cursor }, { caller }) => {
    const app = callingApp(caller);
    const { database, limits } = context;
    const stream = await findAppStream(database.db, app);
    const { rows, next } = await listAppDeliveries(database.db, {
      app,
      status: status ?? null,
      type: type === undefined ? null : readType('type', type),
      since: since === undefined ? null : timestampDate(since),
      from: oldest(context),
      before: cursor === undefined ? null : readCursor(cursor),
      limit: limit ?? Math.min(usualPage, sizeOf(limits, 'page_entries')),
    });
    return {
      deliveries: rows.map(showDelivery),
      ...(next !== null && { nextCursor: String(next) }),
      ...(stream?.disabledAt && { disabledSince: timestampFromDate(stream.disabledAt) }),
    };
  };

/** A number of the app's own events: another app's leads into its own list as well. */
function readCursor(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
}
