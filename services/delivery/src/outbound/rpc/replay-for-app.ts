import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField, badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import type { AdminDeliveriesService, ReplayForAppRequest } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { AppFacts } from '@hearth/proto/identity/v1/apps';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { readType } from '../../shared/actions/read-type.ts';
import { oneEvent, replay, spanOf, tooMany } from '../../shared/actions/replay.ts';
import { findAppDelivery, type ReplayQuestion } from '../../shared/db/app-deliveries.ts';
import { findAppStream } from '../../shared/db/app-streams.ts';
import { states } from '../../shared/db/destinations.ts';
import { mailServer, type SendsQuestion } from '../../shared/db/shown-kind.ts';
import { concernedBy } from '../actions/concerned-by.ts';
import { readDestination } from '../actions/destination-id.ts';
import { findApp } from '../actions/find-app.ts';
import { kindOf } from '../actions/kind-of.ts';
import type { Context } from '../context.ts';
import { findSend, type NamedKind } from '../db/shown-sends.ts';
import { deliveriesReplayed } from '../domain/announcements.ts';

/** Replays deliveries, announced in the log and in the app's activity unless there was nothing to replay. */
export const replayForApp =
  (context: Context): UnaryHandler<typeof AdminDeliveriesService.method.replayForApp> =>
  async (request, call) => {
    const { app, destination } = request;
    if (destination === undefined) return { replayed: await replayApp(context, request, call) };
    if (app !== '') throw badField('destination', 'goes without app');
    return { replayed: await replaySends(context, destination, request, call) };
  };

async function replayApp(context: Context, request: ReplayForAppRequest, call: Call): Promise<number> {
  if (request.app === '') throw badField('app', 'is needed, or else destination');
  const app = parseId('app', request.app);
  if (app === null) throw notFound();
  const facts = await findApp(context, app, call);
  const question = await questionOf(context, request, facts);
  await requireUsed(context, facts);
  const { reason } = request;
  return await replay(context, question, (count) => [
    deliveriesReplayed({ app, ai: '', owner: '', count, reason }, call.caller),
  ]);
}

/** @throws not_found unless the app has the event; bad_field without `since` or for an unknown event type */
async function questionOf(
  context: Context,
  { event, since, until, types, status }: ReplayForAppRequest,
  { id, eventTypes }: AppFacts,
): Promise<ReplayQuestion> {
  if (event !== undefined) {
    const uuid = parseId('evt', event);
    const row = uuid === null ? null : await findAppDelivery(context.database.db, id, uuid, context.oldest());
    if (row === null) throw notFound();
    return oneEvent(id, row);
  }
  if (since === undefined) throw badField('since', 'is needed, or else event');
  const asked = types.length > 0 ? types.map((type) => readType('types', type)) : eventTypes;
  return spanOf(context, id, { since, until, status, types: asked.length === 0 ? null : asked });
}

/** Refuses a replay to an address that receives nothing. @throws bad_request */
async function requireUsed({ database }: Context, { id, webhookUrl }: AppFacts): Promise<void> {
  if (webhookUrl === '')
    throw badRequest('the app has no webhook address; it reads its events itself', { code: 'not_waiting' });
  const stream = await findAppStream(database.db, id);
  if (stream?.disabledAt)
    throw badRequest("the app's webhook address is disabled; see that it works and resume it first", {
      code: 'not_waiting',
    });
}

/** Replays failed sends: mails, or the callbacks of one asker. */
async function replaySends(
  context: Context,
  destination: string,
  request: ReplayForAppRequest,
  call: Call,
): Promise<number> {
  const { clock, commit, limits, outbound } = context;
  const to = readDestination(destination);
  if (to === null) throw notFound();
  const kind = kindOf(context, to.kind);
  const question = await sendsOf(context, kind, to.id, request);
  const concerned = to.kind === 'callback' ? await concernedBy(context, to.id, call) : { ai: '', owner: '' };
  const limit = sizeOf(limits, 'replayed_deliveries');
  const { found, touched } = await commit(async (tx) => {
    const replayed = await kind.replay!(tx, question, { now: new Date(clock.now()), limit });
    const { found } = replayed;
    if (found > limit) throw tooMany(limit);
    const { reason } = request;
    if (found > 0)
      tx.announce(deliveriesReplayed({ app: '', ...concerned, count: found, reason }, call.caller));
    return replayed;
  });
  if (touched.length > 0) outbound.poke(touched);
  return found;
}

/** @throws not_found unless it was sent there; bad_field without `since`, or for filters that only apply to apps */
async function sendsOf(
  { clock, database }: Context,
  kind: NamedKind,
  destination: string,
  { event, since, until, types, status }: ReplayForAppRequest,
): Promise<SendsQuestion> {
  if (kind.replay === undefined)
    throw badField('destination', 'is an address whose sends do not go once more');
  if (types.length > 0) throw badField('types', 'goes with app alone');
  if (status !== undefined && status !== states.failed)
    throw badField('status', 'must be failed: nothing else goes there once more');
  if (event !== undefined) {
    const id = parseId('evt', event);
    const named = destination === mailServer ? null : destination;
    const row = id === null ? null : await findSend(database.db, kind, named, id);
    if (row === null) throw notFound();
    return { destination, id: row.id, since: row.at, until: new Date(row.at.getTime() + 1) };
  }
  if (since === undefined) throw badField('since', 'is needed, or else event');
  const end = until === undefined ? new Date(clock.now()) : timestampDate(until);
  return { destination, id: null, since: timestampDate(since), until: end };
}
