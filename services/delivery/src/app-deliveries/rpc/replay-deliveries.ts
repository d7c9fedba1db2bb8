import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import { readType } from '../../shared/actions/read-type.ts';
import { findAppDelivery, type ReplayQuestion, replayAppEvents } from '../../shared/db/app-deliveries.ts';
import { type AppDeliveriesContext, callingApp, oldest, requireEnabled } from '../context.ts';
import type { AppDeliveriesHandlers } from './index.ts';

/** Sends an event once more: with the same id, signed afresh. */
export const replayDelivery =
  (context: AppDeliveriesContext): AppDeliveriesHandlers['replayDelivery'] =>
  async ({ id }, { caller }) => {
    const app = callingApp(caller);
    const event = parseId('evt', id);
    const from = oldest(context);
    const row = event === null ? null : await findAppDelivery(context.database.db, app, event, from);
    if (row === null) throw notFound();
    await requireEnabled(context, app);
    const one = { app, id: row.id, since: row.at, until: row.at, types: null, status: null };
    return { replayed: await replay(context, one) };
  };

/** Sends the events of a span of time once more. */
export const replayDeliveries =
  (context: AppDeliveriesContext): AppDeliveriesHandlers['replayDeliveries'] =>
  async ({ since, until, types, status }, { caller }) => {
    const app = callingApp(caller);
    const asked = types.map((type) => readType('types', type));
    if (since === undefined) throw badField('since', 'is needed');
    await requireEnabled(context, app);
    const from = oldest(context);
    const begin = timestampDate(since);
    const span = {
      app,
      id: null,
      since: new Date(Math.max(begin.getTime(), from.getTime())),
      until: until === undefined ? new Date(context.clock.now()) : timestampDate(until),
      types: asked.length === 0 ? await wanted(context, app) : asked,
      status: status ?? null,
    };
    return { replayed: await replay(context, span) };
  };

/** @throws bad_request when they are too many */
async function replay(context: AppDeliveriesContext, question: ReplayQuestion): Promise<number> {
  const { clock, database, limits, outbound } = context;
  const limit = sizeOf(limits, 'replayed_deliveries');
  const now = new Date(clock.now());
  const found = await database.transaction((tx) => replayAppEvents(tx, question, { now, limit }));
  if (found > limit)
    throw badField(
      'since',
      `leads to more than ${limit} events; ask for a shorter span of time, or fewer types`,
    );
  if (found > 0) outbound.kick([question.app]);
  return found;
}

/** Without types: those that the app asked to be sent. Null for every one. */
async function wanted({ apps }: AppDeliveriesContext, id: string): Promise<string[] | null> {
  const app = await apps.find(id);
  return app === null ? [] : app.types;
}
