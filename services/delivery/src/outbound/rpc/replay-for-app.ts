import { badField, badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { AdminDeliveriesService, ReplayForAppRequest } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { AppFacts } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import { readType } from '../../shared/actions/read-type.ts';
import { oneEvent, replay, spanOf } from '../../shared/actions/replay.ts';
import { findAppDelivery, type ReplayQuestion } from '../../shared/db/app-deliveries.ts';
import { findAppStream } from '../../shared/db/app-streams.ts';
import { findApp } from '../actions/find-app.ts';
import type { Context } from '../context.ts';
import { deliveriesReplayed } from '../domain/announcements.ts';

/** Announced in the log and in the app's activity, unless there was nothing to send. */
export const replayForApp =
  (context: Context): UnaryHandler<typeof AdminDeliveriesService.method.replayForApp> =>
  async (request, call) => {
    const app = parseId('app', request.app);
    if (app === null) throw notFound();
    const facts = await findApp(context, app, call);
    const question = await questionOf(context, request, facts);
    await requireUsed(context, facts);
    const { reason } = request;
    const replayed = await replay(context, question, (count) => [
      deliveriesReplayed({ app, count, reason }, call.caller),
    ]);
    return { replayed };
  };

/** @throws not_found for an event that is none of the app's; bad_field without a beginning, or for no type of event */
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

/** Sending again where nothing is sent is refused in words. @throws bad_request */
async function requireUsed({ database }: Context, { id, webhookUrl }: AppFacts): Promise<void> {
  if (webhookUrl === '') throw badRequest('the app has no webhook address; it reads its events itself');
  const stream = await findAppStream(database.db, id);
  if (stream?.disabledAt)
    throw badRequest("the app's webhook address is disabled; see that it works and resume it first");
}
