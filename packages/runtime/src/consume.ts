import { fromBinary } from '@bufbuild/protobuf';
import type { Bus, Subscription } from '@hearth/bus';
import { asHearthError, type ErrorKind } from '@hearth/errors';
import { eventSubject } from '@hearth/outbox';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import { linkFrom, metering, recordHeard, span, tracing } from '@hearth/telemetry';

export interface Hearing {
  durable: string;
  types: string[];
  handle(events: Event[]): Promise<void>;
}

/** Starts a durable consumer of events; its spans link to the requests that caused what it hears. */
export function startHearing(bus: Bus, hearing: Hearing): Promise<Subscription> {
  return bus.consume({
    durable: hearing.durable,
    subjects: hearing.types.map(eventSubject),
    handle: (encoded) => {
      const events = encoded.map((bytes) => fromBinary(EventSchema, bytes));
      return tracing.enabled || metering.enabled ? observed(hearing, events) : hearing.handle(events);
    },
  });
}

const maxLinks = 32;

function observed({ durable, handle }: Hearing, events: Event[]): Promise<void> {
  const links = events.slice(0, maxLinks).map((event) => linkFrom(event.traceparent || undefined));
  const attributes = {
    'messaging.system': 'nats',
    'messaging.operation.type': 'process',
    'messaging.consumer.group.name': durable,
    'messaging.batch.message_count': events.length,
  };
  return span(`hear ${durable}`, { kind: 'consumer', attributes, links }, async () => {
    const began = performance.now();
    let kind: ErrorKind | undefined;
    try {
      await handle(events);
    } catch (error) {
      kind = asHearthError(error).kind;
      throw error;
    } finally {
      recordHeard({ consumer: durable, kind, seconds: (performance.now() - began) / 1_000 });
    }
  });
}
