import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField, badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import type { ReplayForAppRequest } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { AppFacts } from '@hearth/proto/identity/v1/apps';
import type { Caller } from '@hearth/rpc';
import { readType } from '../../shared/actions/read-type.ts';
import { findAppDelivery, type ReplayQuestion, replayAppEvents } from '../../shared/db/app-deliveries.ts';
import { findAppStream } from '../../shared/db/app-streams.ts';
import { type AdminDeliveriesContext, findApp, oldest } from '../context.ts';
import { deliveriesReplayed } from '../domain/events.ts';
import type { AdminDeliveriesHandlers } from './index.ts';

/** With a line in the log of what happened and in the app's activity; nothing of it when there was nothing to send. */
export const replayForApp =
  (context: AdminDeliveriesContext): AdminDeliveriesHandlers['replayForApp'] =>
  async (request, call) => {
    const app = parseId('app', request.app);
    if (app === null) throw notFound();
    const facts = await findApp(context, app, call);
    const question =
      request.event === undefined
        ? spanOf(context, request, facts)
        : await oneEvent(context, app, request.event);
    await requireUsed(context, facts);
    return { replayed: await replay(context, question, request.reason, call.caller) };
  };

/** @throws bad_field without a beginning, or for what is no type of event */
function spanOf(
  context: AdminDeliveriesContext,
  { since, until, types, status }: ReplayForAppRequest,
  { id, eventTypes }: AppFacts,
): ReplayQuestion {
  if (since === undefined) throw badField('since', 'is needed, or else event');
  const asked = types.length > 0 ? types.map((type) => readType('types', type)) : eventTypes;
  return {
    app: id,
    id: null,
    since: new Date(Math.max(timestampDate(since).getTime(), oldest(context).getTime())),
    until: until === undefined ? new Date(context.clock.now()) : timestampDate(until),
    types: asked.length === 0 ? null : asked,
    status: status ?? null,
  };
}

/** @throws not_found */
async function oneEvent(context: AdminDeliveriesContext, app: string, text: string): Promise<ReplayQuestion> {
  const id = parseId('evt', text);
  const row = id === null ? null : await findAppDelivery(context.database.db, app, id, oldest(context));
  if (row === null) throw notFound();
  return { app, id: row.id, since: row.at, until: row.at, types: null, status: null };
}

/** Sending again where nothing is sent is refused in words. @throws bad_request */
async function requireUsed(
  { database }: Pick<AdminDeliveriesContext, 'database'>,
  { id, webhookUrl }: AppFacts,
): Promise<void> {
  if (webhookUrl === '') throw badRequest('the app has no webhook address; it reads its events itself');
  const stream = await findAppStream(database.db, id);
  if (stream?.disabledAt)
    throw badRequest("the app's webhook address is disabled; see that it works and resume it first");
}

/** @throws bad_field when they are too many */
async function replay(
  context: AdminDeliveriesContext,
  question: ReplayQuestion,
  reason: string,
  by: Caller,
): Promise<number> {
  const { clock, database, limits, outbound, outbox } = context;
  const limit = sizeOf(limits, 'replayed_deliveries');
  const now = new Date(clock.now());
  const { app } = question;
  const { count, rows } = await database.transaction(async (tx) => {
    const count = await replayAppEvents(tx, question, { now, limit });
    const done = count > 0 && count <= limit;
    const rows = done ? [deliveriesReplayed(outbox, { app, count, reason }, by)] : [];
    if (done) await outbox.announce(tx, rows);
    return { count, rows };
  });
  if (count > limit)
    throw badField(
      'since',
      `leads to more than ${limit} events; ask for a shorter span of time, or fewer types`,
    );
  if (count > 0) {
    outbox.committed(rows);
    outbound.kick([app]);
  }
  return count;
}
