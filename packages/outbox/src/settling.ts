import { getOption } from '@bufbuild/protobuf';
import type { Bus } from '@hearth/bus';
import { second } from '@hearth/clock';
import { type Ids, parseId, printId } from '@hearth/ids';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { settled_by as settledBy } from '@hearth/proto/options';
import type { Announcement } from './announcement.ts';
import { eventType } from './subjects.ts';

/**
 * Signal of a consumer that has handled an awaited event; the payload is the event's id and the consumer's
 * durable.
 */
const settledSignal = 'settled';

/** The longest wait for an act's consequences; after that the answer says that they are pending. */
const longestMs = 2 * second;

/** Event type -> the durables that the answer waits for, as declared by `hearth.settled_by`. */
const awaitedBy = new Map(
  EventSchema.oneofs.flatMap(({ fields }) =>
    fields.map((field) => [field.name, getOption(field, settledBy)]),
  ),
);

export interface Awaited {
  /** The event to announce. */
  announcement: Announcement;
  /** True once every consumer in `settled_by` has handled it; false after two seconds. */
  settled: Promise<boolean>;
}

/** Lets an operation's answer wait for the consumers of its event, in whichever process they run. */
export type AwaitSettled = (announcement: Announcement) => Awaited;

export function createAwaitSettled(bus: Pick<Bus, 'onSignal' | 'mayConsume'>, ids: Ids): AwaitSettled {
  const waiting = new Map<string, { missing: Set<string>; end(settled: boolean): void }>();
  let isListening = false;

  function hear(payload: Uint8Array): void {
    const [event = '', durable = ''] = Buffer.from(payload).toString().split(' ');
    const wait = waiting.get(event);
    if (wait?.missing.delete(durable) && wait.missing.size === 0) wait.end(true);
  }

  return (given) => {
    const { id = ids.uuid() } = given;
    const announcement = { ...given, id, isAwaited: true };
    const durables = (awaitedBy.get(eventType(given.data)) ?? []).filter(bus.mayConsume);
    if (durables.length === 0) return { announcement, settled: Promise.resolve(true) };
    if (!isListening) bus.onSignal(settledSignal, hear);
    isListening = true;
    const event = printId('evt', id);
    const settled = new Promise<boolean>((resolve) => {
      const end = (isSettled: boolean) => {
        clearTimeout(timer);
        waiting.delete(event);
        resolve(isSettled);
      };
      // The act may fail before anyone awaits this.
      const timer = setTimeout(end, longestMs, false);
      waiting.set(event, { missing: new Set(durables), end });
    });
    return { announcement, settled };
  };
}

/** Reports that the consumer `durable` has handled an event, if its answer is awaited. */
export function tellSettled(bus: Pick<Bus, 'signal'>, type: string, event: string, durable: string): void {
  if (parseId('evt', event) !== null && awaitedBy.get(type)?.includes(durable))
    bus.signal(settledSignal, Buffer.from(`${event} ${durable}`));
}
