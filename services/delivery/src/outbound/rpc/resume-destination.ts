import { badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { enableApp } from '../../shared/db/app-streams.ts';
import { findApp } from '../actions/find-app.ts';
import { createShow } from '../actions/show-destinations.ts';
import type { Context } from '../context.ts';
import { type DestinationRow, findDestination, lockDisabledApp } from '../db/shown-destinations.ts';
import { destinationResumed } from '../domain/announcements.ts';

/** Announced in the log and in its owner's activity; an address that is in use stays as it is. */
export const resumeDestination =
  (context: Context): UnaryHandler<typeof AdminDeliveriesService.method.resumeDestination> =>
  async ({ id, reason }, call) => {
    const app = parseId('app', id);
    const uuid = app ?? parseId('sub', id);
    if (uuid === null) throw notFound();
    const kind = app === null ? 'subscription' : 'app';
    const find = async () => {
      const row = await findDestination(context.database.db, kind, uuid, new Date(context.clock.now()));
      if (row === null) throw notFound();
      return row;
    };
    const before = await find();
    if (before.stoppedAt !== null) await resume(context, before, reason, call);
    const row = await find();
    return (await createShow(context, [row], call))(row);
  };

async function resume(
  context: Context,
  { id, ai }: DestinationRow,
  reason: string,
  call: Call,
): Promise<void> {
  const { clock, commit, ids, outbound, resumeSubscription } = context;
  const whose = ai === null ? await appOf(context, id, call) : await subscriptionOf(context, id, ai, call);
  const resumed = await commit(async (tx) => {
    const now = new Date(clock.now());
    if (ai !== null) {
      if (!(await resumeSubscription(tx, id, { now, eventId: ids.uuid() }))) return false;
    } else {
      if (!(await lockDisabledApp(tx, id))) return false;
      await enableApp(tx, id, now, false);
    }
    tx.announce(destinationResumed({ ...whose, reason }, call.caller));
    return true;
  });
  if (resumed) outbound.poke([id]);
}

/** @throws bad_request for an app without an address */
async function appOf(context: Context, app: string, call: Call) {
  const { webhookUrl } = await findApp(context, app, call);
  if (webhookUrl === '') throw badRequest('the app has no webhook address; there is nothing to resume');
  return { app, subscription: '', ai: '', owner: '' };
}

async function subscriptionOf({ ais }: Context, subscription: string, ai: string, call: Call) {
  const { results } = await ais.findAis({ ids: [ai] }, { call });
  return { app: '', subscription, ai, owner: results[0]?.facts?.owner ?? '' };
}
