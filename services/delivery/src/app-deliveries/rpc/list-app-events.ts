import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import { fitting } from '@hearth/paging';
import type { AppDeliveriesService, AppEventEntrySchema } from '@hearth/proto/delivery/v1/app_deliveries';
import type { UnaryHandler } from '@hearth/rpc';
import { findAppDelivery, listAppEvents as readEvents } from '../../shared/db/app-deliveries.ts';
import { callingApp } from '../actions/find-app.ts';
import type { Context } from '../context.ts';

/** Returns the events of the calling app in order, as they are sent. */
export const listAppEvents =
  (context: Context): UnaryHandler<typeof AppDeliveriesService.method.listAppEvents> =>
  async ({ after, limit }, { caller }) => {
    const app = callingApp(caller);
    const { database, limits, oldest } = context;
    const size = limit ?? sizeOf(limits, 'page_entries');
    const from = oldest();
    const rows = await readEvents(database.db, {
      app,
      after: after === undefined ? 0 : await numberOf(context, app, after, from),
      from,
      limit: size + 1,
    });
    const shown = rows.slice(0, Math.min(size, fitting(rows)));
    return { events: shown.map(({ body }) => showEvent(body)), hasMore: rows.length > shown.length };
  };

/** @throws bad_field unless it is an event of the app that is still kept */
async function numberOf({ database }: Context, app: string, after: string, from: Date): Promise<number> {
  const id = parseId('evt', after);
  const row = id === null ? null : await findAppDelivery(database.db, app, id, from);
  if (row !== null) return row.number;
  throw badField('after', 'is no event that is kept for you; leave it out for all that are kept');
}

/** Returns a log entry from the body that is sent. */
function showEvent(body: string): MessageInitShape<typeof AppEventEntrySchema> {
  const { id, type, at, data } = JSON.parse(body) as Record<'id' | 'type' | 'at', string> & {
    data: JsonObject;
  };
  return { id, type, at: timestampFromMs(Date.parse(at)), data };
}
