import { badField } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import { findAppDelivery, listAppEvents as readEvents } from '../../shared/db/app-deliveries.ts';
import { showEvent } from '../../shared/domain/show-delivery.ts';
import { type AppDeliveriesContext, callingApp, oldest } from '../context.ts';
import type { AppDeliveriesHandlers } from './index.ts';

/** The events of the calling app in their order, as they are sent. */
export const listAppEvents =
  (context: AppDeliveriesContext): AppDeliveriesHandlers['listAppEvents'] =>
  async ({ after, limit }, { caller }) => {
    const app = callingApp(caller);
    const { database, limits } = context;
    const asked = limit ?? sizeOf(limits, 'page_entries');
    const from = oldest(context);
    const rows = await readEvents(database.db, {
      app,
      after: after === undefined ? 0 : await numberOf(context, app, after, from),
      from,
      limit: asked + 1,
    });
    return { events: rows.slice(0, asked).map(({ body }) => showEvent(body)), hasMore: rows.length > asked };
  };

/** @throws bad_field for an event that the app was never told of, and for one that is not kept any more */
async function numberOf(
  { database }: AppDeliveriesContext,
  app: string,
  after: string,
  from: Date,
): Promise<number> {
  const id = parseId('evt', after);
  const row = id === null ? null : await findAppDelivery(database.db, app, id, from);
  if (row !== null) return row.number;
  throw badField('after', 'is no event that is kept for you; leave it out for all that are kept');
}
