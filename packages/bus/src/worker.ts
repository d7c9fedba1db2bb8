import { setImmediate as nextTurn } from 'node:timers/promises';
import { minute, second } from '@hearth/clock';
import { asHearthError } from '@hearth/errors';
import type { Log } from './bus.ts';
import type { Delivery, Inbox } from './inbox.ts';
import { pause } from './pause.ts';

/**
 * How a rejected handling is tried again. An error that is `unavailable` or late is the fault of
 * something that all events need, such as the database: the consumer waits for it in place, in order,
 * without an end. Any other error may be an event's own: the others of its batch are handled without it, and after some
 * tries it is put aside for longer and longer, so that the batches behind it go on.
 */
export interface Retries {
  /** Milliseconds before the second try; doubled before each further one. */
  firstPause: number;
  /** The longest pause between tries in place, in milliseconds. */
  longestPause: number;
  /** Tries before an event that fails by itself is put aside. */
  triesInPlace: number;
  /** Milliseconds for which it is put aside the first time; doubled each time. */
  firstAside: number;
  longestAside: number;
}

const defaultRetries: Retries = {
  firstPause: 100,
  longestPause: 5 * second,
  triesInPlace: 4,
  firstAside: 30 * second,
  longestAside: 10 * minute,
};

export interface WorkerOptions {
  /** The durable's name, for the log. */
  name: string;
  inbox: Inbox;
  handle(events: Uint8Array[]): Promise<void>;
  /** The most events in one call, unless a single batch has more. */
  maxBatch: number;
  log: Log;
  retries?: Partial<Retries>;
}

export interface Worker {
  /** Lets the handling in hand end, hands back what it had taken beyond that, and resolves. */
  stop(): Promise<void>;
}

/** Events of a delivery that were not handled, and the last failure. */
interface Rest {
  events: Uint8Array[];
  error?: unknown;
}

/** Handles what comes into an inbox, one call at a time, until it is stopped. */
export function startWorker(options: WorkerOptions): Worker {
  const { name, inbox, handle, maxBatch, log } = options;
  const retries = { ...defaultRetries, ...options.retries };
  const stopping = new AbortController();

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await inbox.arrival();
      // Events that the present turn of the event loop still brings in join the same call.
      await nextTurn();
      if (stopping.signal.aborted) return;
      const taken = inbox.take(maxBatch);
      if (taken.length > 0) await handleTogether(taken);
    }
  }

  async function handleTogether(deliveries: Delivery[]): Promise<void> {
    if (deliveries.length === 1) return handleAlone(deliveries[0]!);
    const error = await tryToHandle(deliveries.flatMap((delivery) => delivery.events));
    if (error === undefined) {
      for (const delivery of deliveries) delivery.done();
      return;
    }
    // One of them may be at fault; each alone shows which, and lets the others through.
    for (const delivery of deliveries) await handleAlone(delivery);
  }

  async function handleAlone(delivery: Delivery): Promise<void> {
    let rest: Rest = { events: delivery.events };
    for (let tries = 1; ; tries += 1) {
      if (stopping.signal.aborted) return delivery.again(0, rest.events);
      rest = await handleParts(rest.events);
      if (rest.events.length === 0) return delivery.done();
      if (!isForeign(rest.error) && tries >= retries.triesInPlace) return putAside(delivery, rest);
      await pause(Math.min(retries.firstPause * 2 ** (tries - 1), retries.longestPause), stopping.signal);
    }
  }

  /** Handles all of them that can be: half by half, until those at fault stand alone. Answers the others. */
  async function handleParts(events: Uint8Array[]): Promise<Rest> {
    const error = await tryToHandle(events);
    if (error === undefined) return { events: [] };
    if (events.length === 1 || isForeign(error) || stopping.signal.aborted) return { events, error };
    const middle = Math.ceil(events.length / 2);
    const first = await handleParts(events.slice(0, middle));
    const second = events.slice(middle);
    if (isForeign(first.error)) return { ...first, events: [...first.events, ...second] };
    const last = await handleParts(second);
    return { events: [...first.events, ...last.events], error: last.error ?? first.error };
  }

  function putAside(delivery: Delivery, { events, error }: Rest): void {
    const delay = Math.min(retries.firstAside * 2 ** (delivery.attempt - 1), retries.longestAside);
    log.error(
      { durable: name, events: events.length, attempt: delivery.attempt, delay, err: error },
      'events could not be handled and are put aside for a while',
    );
    delivery.again(delay, events, error);
  }

  async function tryToHandle(events: Uint8Array[]): Promise<unknown> {
    try {
      await handle(events);
      return undefined;
    } catch (error) {
      log.warn({ durable: name, events: events.length, err: error }, 'a handling was rejected');
      return error ?? new Error('rejected without a reason');
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

/** Whether the fault lies in something that every event needs rather than in the batch. */
function isForeign(error: unknown): boolean {
  if (error === undefined) return false;
  const { kind } = asHearthError(error);
  return kind === 'unavailable' || kind === 'deadline_exceeded';
}
