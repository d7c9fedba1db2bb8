import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { Handlers } from '@hearth/rpc';
import type { EventsContext } from '../poll-context.ts';
import { listEvents } from './list-events.ts';
import { pollEvents } from './poll-events.ts';
import { waitForEvent } from './wait-for-event.ts';

export type EventsHandlers = Pick<
  Handlers<typeof SubscriptionsService>,
  'listEvents' | 'pollEvents' | 'waitForEvent'
>;

/** What AIs are woken for, by asking. */
export function eventsHandlers(context: EventsContext): EventsHandlers {
  return { listEvents, pollEvents: pollEvents(context), waitForEvent: waitForEvent(context) };
}
