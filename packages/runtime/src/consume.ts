import { fromBinary } from '@bufbuild/protobuf';
import type { Bus, Subscription } from '@hearth/bus';
import { eventSubject } from '@hearth/outbox';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import { linkFrom, span } from '@hearth/telemetry';

export interface Hearing {
  durable: string;
  types: string[];
  handle(events: Event[]): Promise<void>;
}

/** Starts a durable consumer of events; its spans link to the requests that caused what it hears. */
export function startHearing(bus: Bus, { durable, types, handle }: Hearing): Promise<Subscription> {
  return bus.consume({
    durable,
    subjects: types.map(eventSubject),
    handle: async (encoded) => {
      const events = encoded.map((bytes) => fromBinary(EventSchema, bytes));
      const links = events.slice(0, 32).map((event) => linkFrom(event.traceparent || undefined));
      await span(`hear ${durable}`, { kind: 'consumer', links }, () => handle(events));
    },
  });
}
