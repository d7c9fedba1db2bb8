import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { pageSize } from '@hearth/paging';
import type { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import type { UnaryHandler } from '@hearth/rpc';
import { readType } from '../../shared/actions/read-type.ts';
import { listAppDeliveries } from '../../shared/db/app-deliveries.ts';
import { findAppStream } from '../../shared/db/app-streams.ts';
import { showDelivery } from '../../shared/domain/show-delivery.ts';
import { callingApp } from '../actions/find-app.ts';
import type { Context } from '../context.ts';

/** Returns the deliveries to the calling app, sent and waiting, newest first. */
export const listDeliveries =
  ({ database, limits, oldest }: Context): UnaryHandler<typeof AppDeliveriesService.method.listDeliveries> =>
  async ({ status, type, since, limit, cursor }, { caller }) => {
    const app = callingApp(caller);
    const stream = await findAppStream(database.db, app);
    const { rows, next } = await listAppDeliveries(database.db, {
      app,
      status: status ?? null,
      type: type === undefined ? null : readType('type', type),
      since: since === undefined ? null : timestampDate(since),
      from: oldest(),
      before: cursor === undefined ? null : readCursor(cursor),
      limit: pageSize(limits, limit),
    });
    return {
      deliveries: rows.map(showDelivery),
      ...(next !== null && { nextCursor: String(next) }),
      ...(stream?.disabledAt && { disabledSince: timestampFromDate(stream.disabledAt) }),
    };
  };

/**
 * Reads the number of an app event. A number of another app's event is harmless: it still pages the caller's
 * own list.
 */
function readCursor(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw badField('cursor', 'must be the next_cursor of an earlier answer, as it was given');
}
