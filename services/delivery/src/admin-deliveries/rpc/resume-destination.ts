import { badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { OutboxRow } from '@hearth/outbox';
import type { Call } from '@hearth/rpc';
import { resumeApp } from '../../app-deliveries/db/resume-app.ts';
import { resumeSubscription } from '../../subscriptions/actions/resume-subscription.ts';
import { createShow } from '../actions/show-destinations.ts';
import { type AdminDeliveriesContext, findApp } from '../context.ts';
import { type DestinationRow, findDestination } from '../db/destinations.ts';
import { destinationResumed } from '../domain/events.ts';
import type { AdminDeliveriesHandlers } from './index.ts';

/** With a line in the log of what happened and in its owner's activity; one that is in use stays as it is. */
export const resumeDestination =
  (context: AdminDeliveriesContext): AdminDeliveriesHandlers['resumeDestination'] =>
  async ({ id, reason }, call) => {
    const app = parseId('app', id);
    const subscription = parseId('sub', id);
    const uuid = app ?? subscription;
    if (uuid === null) throw notFound();
    const kind = app === null ? 'subscription' : 'app';
    const find = async () => {
      const row = await findDestination(context.database.db, kind, uuid, new Date(context.clock.now()));
      if (row === null) throw notFound();
      return row;
    };
    const before = await find();
    if (before.stoppedAt !== null) {
      if (app === null) await resumeWakeUps(context, before, reason, call);
      else await resumeOfApp(context, app, reason, call);
    }
    const row = await find();
    return (await createShow(context, [row], call))(row);
  };

async function resumeOfApp(
  context: AdminDeliveriesContext,
  app: string,
  reason: string,
  call: Call,
): Promise<void> {
  const { clock, database, outbox } = context;
  const { webhookUrl } = await findApp(context, app, call);
  if (webhookUrl === '') throw badRequest('the app has no webhook address; there is nothing to resume');
  const event = destinationResumed(outbox, { app, subscription: '', ai: '', owner: '', reason }, call.caller);
  const resumed = await database.transaction(async (tx) => {
    if (!(await resumeApp(tx, app, new Date(clock.now())))) return false;
    await outbox.announce(tx, [event]);
    return true;
  });
  if (resumed) goOn(context, app, event);
}

async function resumeWakeUps(
  context: AdminDeliveriesContext,
  { id, ai }: DestinationRow,
  reason: string,
  call: Call,
): Promise<void> {
  const { ais, clock, database, ids, outbox } = context;
  const { results } = await ais.findAis({ ids: [ai ?? ''] }, { call });
  const owner = results[0]?.facts?.owner ?? '';
  const whose = { app: '', subscription: id, ai: ai ?? '', owner };
  const event = destinationResumed(outbox, { ...whose, reason }, call.caller);
  const resumed = await database.transaction(async (tx) => {
    const now = new Date(clock.now());
    if (!(await resumeSubscription(tx, id, { now, eventId: ids.uuid() }))) return false;
    await outbox.announce(tx, [event]);
    return true;
  });
  if (resumed) goOn(context, id, event);
}

function goOn(
  { outbound, outbox }: Pick<AdminDeliveriesContext, 'outbound' | 'outbox'>,
  destination: string,
  event: OutboxRow,
): void {
  outbox.committed([event]);
  outbound.kick([destination]);
}
