import { setImmediate as nextTurn } from 'node:timers/promises';
import { minute, second } from '@hearth/clock';
import { asHearthError } from '@hearth/errors';
import type { Log } from './bus.ts';
import type { Delivery, Inbox } from './inbox.ts';
import { createPauses, type Pauses } from './pauses.ts';

/**
 * How a rejected handling is tried again. An error that is `unavailable` or late is the fault of
 * something that all events need, such as the database: the consumer waits for it in place, in order,
 * without an end. Any other error may be the batch's own: after some tries it is put aside for longer
 * and longer, so that the batches behind it go on.
 */
export interface Retries {
  /** Milliseconds before the second try; doubled before each further one. */
  firstPause: number;
  /** The longest pause between tries in place, in milliseconds. */
  longestPause: number;
  /** Tries before a batch that fails by itself is put aside. */
  triesInPlace: number;
  /** Milliseconds for which it is put aside the first time; doubled each time. */
  firstAside: number;
  longestAside: number;
}

export const defaultRetries: Retries = {
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

/** Handles what comes into an inbox, one call at a time, until it is stopped. */
export function startWorker(options: WorkerOptions): Worker {
  const { name, inbox, handle, maxBatch, log } = options;
  const retries = { ...defaultRetries, ...options.retries };
  const pauses: Pauses = createPauses();
  let stopping = false;

  async function work(): Promise<void> {
    while (!stopping) {
      await inbox.arrival();
      // Events that the present turn of the event loop still brings in join the same call.
      await nextTurn();
      if (stopping) return;
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
    for (let tries = 1; ; tries += 1) {
      if (stopping) return delivery.again(0);
      const error = await tryToHandle(delivery.events);
      if (error === undefined) return delivery.done();
      if (!isForeign(error) && tries >= retries.triesInPlace) return putAside(delivery, error);
      await pauses.wait(Math.min(retries.firstPause * 2 ** (tries - 1), retries.longestPause));
    }
  }

  function putAside(delivery: Delivery, error: unknown): void {
    const delay = Math.min(retries.firstAside * 2 ** (delivery.attempt - 1), retries.longestAside);
    log.error(
      { durable: name, events: delivery.events.length, attempt: delivery.attempt, delay, err: error },
      'a batch could not be handled and is put aside for a while',
    );
    delivery.again(delay);
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
      stopping = true;
      pauses.end();
      inbox.wake();
      await ended;
    },
  };
}

/** Whether the fault lies in something that every event needs rather than in the batch. */
function isForeign(error: unknown): boolean {
  const { kind } = asHearthError(error);
  return kind === 'unavailable' || kind === 'deadline_exceeded';
}
