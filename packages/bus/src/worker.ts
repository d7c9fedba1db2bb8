import { setImmediate as nextTurn } from 'node:timers/promises';
import { minute, second } from '@hearth/clock';
import { asHearthError, unavailable } from '@hearth/errors';
import type { ConsumeOptions, Log } from './bus.ts';
import type { Delivery, Inbox } from './inbox.ts';
import { pause } from './pause.ts';

/**
 * Retry policy. An error of kind `unavailable` or `deadline_exceeded` is the fault of something that all
 * events need, such as the database: the consumer retries in place, in order, indefinitely. Any other error
 * may be due to a single event: the rest of its batch is handled without it, and after some tries it is set
 * aside with increasing delays, so that later batches go on.
 */
export interface Retries {
  /** Milliseconds before the second try; doubled for each further one. */
  firstPause: number;
  /** The longest pause between tries in place, in milliseconds. */
  longestPause: number;
  /** The number of tries before a failing event is set aside. */
  triesInPlace: number;
  /** Milliseconds for which it is first set aside; doubled each time. */
  firstAside: number;
  longestAside: number;
  /** Milliseconds before an event that arrived too early is redelivered; doubled each time. */
  firstEarly: number;
  longestEarly: number;
}

const defaultRetries: Retries = {
  firstPause: 100,
  longestPause: 5 * second,
  triesInPlace: 4,
  firstAside: 30 * second,
  longestAside: 10 * minute,
  firstEarly: 20,
  longestEarly: 250,
};

export interface WorkerOptions {
  /** The durable's name, for the log. */
  name: string;
  inbox: Inbox;
  handle: ConsumeOptions['handle'];
  /** The most events per call, unless a single batch has more. */
  maxBatch: number;
  log: Log;
  retries?: Partial<Retries>;
}

export interface Worker {
  /** Finishes the current handling and hands back everything else that was taken. */
  stop(): Promise<void>;
}

/** The unhandled events of a delivery with the last error, and those that arrived too early. */
interface Rest {
  events: Uint8Array[];
  error?: unknown;
  early: readonly Uint8Array[];
}

/** Starts handling the deliveries of an inbox, one call at a time, until stopped. */
export function startWorker(options: WorkerOptions): Worker {
  const { name, inbox, handle, maxBatch, log } = options;
  const retries = { ...defaultRetries, ...options.retries };
  const stopping = new AbortController();

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await inbox.arrival();
      // Events that arrive in the same turn of the event loop join the call.
      await nextTurn();
      if (stopping.signal.aborted) return;
      const taken = inbox.take(maxBatch);
      if (taken.length > 0) await handleTogether(taken);
    }
  }

  async function handleTogether(deliveries: Delivery[]): Promise<void> {
    if (deliveries.length === 1) return handleAlone(deliveries[0]!);
    const { error, early } = await tryToHandle(
      deliveries.flatMap((delivery) => delivery.events),
      1,
    );
    if (error === undefined) {
      for (const delivery of deliveries) finish(delivery, early);
      return;
    }
    // One of them may be at fault; handling each on its own shows which, and lets the others through.
    for (const delivery of deliveries) await handleAlone(delivery);
  }

  async function handleAlone(delivery: Delivery): Promise<void> {
    const { attempt } = delivery;
    const early: Uint8Array[] = [];
    let rest: Rest = { events: delivery.events, early };
    for (let tries = 1; ; tries += 1) {
      if (stopping.signal.aborted) return delivery.again(0, [...rest.events, ...early]);
      rest = await handleParts(rest.events, attempt);
      early.push(...rest.early);
      if (rest.events.length === 0) return finish(delivery, early);
      if (!isForeign(rest.error) && tries >= retries.triesInPlace)
        return putAside(delivery, { ...rest, events: [...rest.events, ...early] });
      await pause(Math.min(retries.firstPause * 2 ** (tries - 1), retries.longestPause), stopping.signal);
    }
  }

  /** Handles as many as possible, bisecting until failing events are isolated. Returns the failed ones. */
  async function handleParts(events: Uint8Array[], attempt: number): Promise<Rest> {
    const { error, early } = await tryToHandle(events, attempt);
    if (error === undefined) return { events: [], early };
    if (events.length === 1 || isForeign(error) || stopping.signal.aborted)
      return { events, error, early: [] };
    const middle = Math.ceil(events.length / 2);
    const first = await handleParts(events.slice(0, middle), attempt);
    const second = events.slice(middle);
    if (isForeign(first.error)) return { ...first, events: [...first.events, ...second] };
    const last = await handleParts(second, attempt);
    return {
      events: [...first.events, ...last.events],
      error: last.error ?? first.error,
      early: [...first.early, ...last.early],
    };
  }

  function putAside(delivery: Delivery, { events, error }: Rest): void {
    const delay = Math.min(retries.firstAside * 2 ** (delivery.attempt - 1), retries.longestAside);
    log.error(
      { durable: name, events: events.length, attempt: delivery.attempt, delay, err: error },
      'events could not be handled and are put aside for a while',
    );
    delivery.again(delay, events, error);
  }

  function finish(delivery: Delivery, early: readonly Uint8Array[]): void {
    const its = early.length === 0 ? [] : delivery.events.filter((event) => early.includes(event));
    const delay = Math.min(retries.firstEarly * 2 ** (delivery.attempt - 1), retries.longestEarly);
    if (its.length === 0) delivery.done();
    else delivery.again(delay, its, unavailable('an earlier event about the same thing is still to come'));
  }

  async function tryToHandle(
    events: Uint8Array[],
    attempt: number,
  ): Promise<{ error?: unknown; early: readonly Uint8Array[] }> {
    try {
      const early = await handle(events, attempt);
      return { early: Array.isArray(early) ? early : [] };
    } catch (error) {
      log.warn({ durable: name, events: events.length, err: error }, 'a handling was rejected');
      return { error: error ?? new Error('rejected without a reason'), early: [] };
    }
  }

  const ended = work();
  return {
    async stop() {
      stopping.abort();
      inbox.wake();
      await ended;
    },
  };
}

/** Whether the fault lies in something that all events need. */
function isForeign(error: unknown): boolean {
  if (error === undefined) return false;
  const { kind } = asHearthError(error);
  return kind === 'unavailable' || kind === 'deadline_exceeded';
}
