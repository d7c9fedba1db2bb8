import { hour } from '@hearth/clock';
import { decodeWake, wakeSubject } from '@hearth/outbox';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { Host } from '@hearth/runtime';
import { loggedTypes, onEvent } from './consumers/on-event.ts';
import type { Context } from './context.ts';
import { purgeEvents } from './db/events.ts';
import { createSignalled } from './domain/signalled.ts';
import { createWatchers } from './domain/watchers.ts';

export { createHold } from './actions/create-hold.ts';
export { createWatchers, type Watchers } from './domain/watchers.ts';

/** The gateways' holds, and the log of events. */
export async function startHold(host: Host, { mails }: Pick<Context, 'mails'>): Promise<void> {
  const { bus, clock, database } = host;
  const context: Context = {
    ...host,
    watchers: createWatchers(),
    signalled: createSignalled(),
    mails,
  };
  const { signalled, watchers } = context;
  await host.serveRpcs(DeliveryService, import.meta.url, context);

  // Fast path: a signal right after the commit. If it is missed, the event wakes the topics.
  bus.onReconnect(() => watchers.wakeAll());
  const wakes = bus.onSignal(wakeSubject, (payload) => {
    const { topics, events, carried } = decodeWake(payload);
    signalled.add(events);
    watchers.wake(topics, carried);
  });
  // Only now: gateways rely on wakes until their streams have ended.
  host.onStop(() => wakes.stop());
  host.consume({ durable: 'log', types: loggedTypes, handle: onEvent(context) });
  await purgeEvents(database, clock);
  host.every('purge-events', hour, () => purgeEvents(database, clock));
}
