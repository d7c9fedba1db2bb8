import { fromBinary } from '@bufbuild/protobuf';
import type { Bus, Subscription } from '@hearth/bus';
import { asHearthError, type ErrorKind } from '@hearth/errors';
import { eventSubject } from '@hearth/outbox';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import { linkFrom, metering, recordHeard, span, tracing } from '@hearth/telemetry';

/** @deprecated `ReceivedEvent` */
export type Heard = ReceivedEvent;

/** An event as it was announced, and the bytes that it came in: a part that this version does not know is in them still. */
export interface ReceivedEvent {
  event: Event;
  bytes: Uint8Array;
}

export interface Hearing {
  durable: string;
  types: string[];
  handle(heard: Heard[]): Promise<void>;
}

/** Starts a durable consumer of events; its spans link to the requests that caused what it hears. */
export function startHearing(bus: Bus, hearing: Hearing): Promise<Subscription> {
  return bus.consume({
    durable: hearing.durable,
    subjects: hearing.types.map(eventSubject),
    handle: (encoded) => {
      const heard = encoded.map((bytes) => ({ event: fromBinary(EventSchema, bytes), bytes }));
      return tracing.enabled || metering.enabled ? observed(hearing, heard) : hearing.handle(heard);
    },
  });
}

const maxLinks = 32;

function observed({ durable, handle }: Hearing, heard: Heard[]): Promise<void> {
  const links = heard.slice(0, maxLinks).map(({ event }) => linkFrom(event.traceparent || undefined));
  const attributes = {
    'messaging.system': 'nats',
    'messaging.operation.type': 'process',
    'messaging.consumer.group.name': durable,
    'messaging.batch.message_count': heard.length,
  };
  return span(`hear ${durable}`, { kind: 'consumer', attributes, links }, async () => {
    const began = performance.now();
    let kind: ErrorKind | undefined;
    try {
      await handle(heard);
    } catch (error) {
      kind = asHearthError(error).kind;
      throw error;
    } finally {
      recordHeard({ consumer: durable, kind, seconds: (performance.now() - began) / 1_000 });
    }
  });
}
