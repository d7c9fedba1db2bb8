import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromBinary } from '@bufbuild/protobuf';
import type { Bus } from '@hearth/bus';
import { asHearthError, type ErrorKind, internal } from '@hearth/errors';
import { eventSubject, eventType, tellSettled } from '@hearth/outbox';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import { linkFrom, metering, recordConsumed, span, tracing } from '@hearth/telemetry';
import { checkTypes, divide, inTheirOrder, lastPlaces, mostAttempts, type Places } from './keep-order.ts';

/** An event as announced, and its original bytes, which still contain fields unknown to this version. */
export interface ReceivedEvent {
  event: Event;
  bytes: Uint8Array;
}

export interface Consumer {
  durable: string;
  types: string[];
  handle(events: ReceivedEvent[]): Promise<void>;
  /** If given, events about the same thing are handled in the order in which they happened. */
  places?: Places;
}

/** How many events are handled at once; with more, every other request would wait for their turns of the event loop. */
const atOnce = 100;

/** By declared name: "message_sent". */
const declared = new Set(EventSchema.oneofs.flatMap(({ fields }) => fields.map(({ name }) => name)));

/**
 * Starts a durable consumer of events; its spans link to the requests that caused the events.
 *
 * @throws internal for a type that Event.data does not declare, because such a consumer would wait forever
 */
export async function startConsumer(bus: Bus, consumer: Consumer): Promise<void> {
  const { durable, types, places } = consumer;
  for (const type of types)
    if (!declared.has(type)) throw internal(`${durable} consumes ${type}, which is no case of Event.data`);
  if (places !== undefined) checkTypes(durable, types);

  async function handlePart(events: ReceivedEvent[]): Promise<void> {
    await (tracing.enabled || metering.enabled ? observeHandling(consumer, events) : consumer.handle(events));
    const last = places === undefined ? undefined : lastPlaces(events);
    if (last !== undefined && last.size > 0) await places!.note(last);
    for (const { event } of events)
      if (event.awaited) tellSettled(bus, eventType(event.data), event.id, durable);
  }

  async function inParts<One>(all: readonly One[], read: (item: One) => ReceivedEvent): Promise<void> {
    for (let from = 0; from < all.length; from += atOnce) {
      if (from > 0) await nextTurn();
      await handlePart(all.slice(from, from + atOnce).map(read));
    }
  }

  const receive = (bytes: Uint8Array): ReceivedEvent => ({ event: decode(bytes), bytes });
  await bus.consume({
    durable,
    subjects: types.map(eventSubject),
    async handle(encoded, attempt) {
      if (places === undefined) {
        await inParts(encoded, receive);
        return [];
      }
      const ordered = inTheirOrder(encoded.map(receive));
      const { ready, early } =
        attempt > mostAttempts ? { ready: ordered, early: [] } : await divide(ordered, places);
      await inParts(ready, (event) => event);
      return early.map(({ bytes }) => bytes);
    },
  });
}

const decoded = new WeakMap<Uint8Array, Event>();

/** All consumers of a process share the same bytes, and so the same event: they only read it. */
function decode(bytes: Uint8Array): Event {
  let event = decoded.get(bytes);
  if (event === undefined) {
    event = fromBinary(EventSchema, bytes);
    decoded.set(bytes, event);
  }
  return event;
}

const maxLinks = 32;

function observeHandling({ durable, handle }: Consumer, events: ReceivedEvent[]): Promise<void> {
  const links = events.slice(0, maxLinks).map(({ event }) => linkFrom(event.traceparent || undefined));
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
      recordConsumed({ consumer: durable, kind, seconds: (performance.now() - began) / 1_000 });
    }
  });
}
