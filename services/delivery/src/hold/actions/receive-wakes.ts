import type { Bus, Subscription } from '@hearth/bus';
import { decodeWake, wakeSubject } from '@hearth/outbox';
import type { Signalled } from './signalled.ts';
import type { Watchers } from './watchers.ts';

/** The quick way: a signal right after the commit. What is missed here comes with the event. */
export function hearWakes(bus: Bus, watchers: Watchers, signalled: Signalled): Subscription {
  bus.onReconnect(() => watchers.wakeAll());
  return bus.onSignal(wakeSubject, (payload) => {
    const { topics, events } = decodeWake(payload);
    signalled.add(events);
    watchers.wake(topics);
  });
}
