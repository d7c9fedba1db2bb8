import { badRequest, notFound } from '@hearth/errors';
import type { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { concernedBy } from '../actions/concerned-by.ts';
import { readDestination } from '../actions/destination-id.ts';
import { findApp } from '../actions/find-app.ts';
import { kindOf } from '../actions/kind-of.ts';
import { createShow } from '../actions/show-destinations.ts';
import type { Context } from '../context.ts';
import { type DestinationRow, findDestination } from '../db/shown-destinations.ts';
import { destinationResumed } from '../domain/announcements.ts';

/**
 * Resumes a destination, announced in the log and in its owner's activity unless nothing changed. The active
 * address of an app or a subscription stays unchanged; waiting mails and callbacks become due now.
 */
export const resumeDestination =
  (context: Context): UnaryHandler<typeof AdminDeliveriesService.method.resumeDestination> =>
  async ({ id, reason }, call) => {
    const to = readDestination(id);
    if (to === null) throw notFound();
    const find = async () =>
      await findDestination(
        context.database.db,
        kindOf(context, to.kind),
        to.id,
        new Date(context.clock.now()),
      );
    const before = await find();
    if (before === null) throw notFound();
    await resume(context, before, reason, call);
    // An asker is no longer a destination once its last callback was delivered.
    const row = (await find()) ?? { ...before, waiting: 0 };
    return (await createShow(context, [row], call))(row);
  };

async function resume(context: Context, row: DestinationRow, reason: string, call: Call): Promise<void> {
  const { clock, commit, ids, outbound } = context;
  const owners = await ownersOf(context, row, call);
  const due = await commit(async (tx) => {
    const how = { now: new Date(clock.now()), eventId: ids.uuid() };
    const touched = await kindOf(context, row.kind).resume(tx, row.id, how);
    if (touched.length > 0) tx.announce(destinationResumed({ ...owners, reason }, call.caller));
    return touched;
  });
  if (due.length > 0) outbound.poke(due);
}

const none = { app: '', subscription: '', ai: '', owner: '' };

/** @throws bad_request for a disabled app without an address */
async function ownersOf(context: Context, { kind, id, ai, stoppedAt }: DestinationRow, call: Call) {
  if (kind === 'app') {
    const { webhookUrl } = stoppedAt === null ? { webhookUrl: null } : await findApp(context, id, call);
    if (webhookUrl === '')
      throw badRequest('the app has no webhook address; there is nothing to resume', { code: 'not_waiting' });
    return { ...none, app: id };
  }
  if (kind === 'callback') return { ...none, ...(await concernedBy(context, id, call)) };
  if (kind !== 'subscription' || ai === null) return none;
  return { ...none, subscription: id, ...(await concernedBy(context, ai, call)) };
}
