import { unavailable } from '@hearth/errors';
import type { Batch, ConsumeOptions, Log, Refusal, Subscription } from './bus.ts';
import { createInbox, type Delivery } from './inbox.ts';
import { matches } from './subjects.ts';
import { type Retries, startWorker } from './worker.ts';

/** A batch in progress at one durable. */
export interface Parcel {
  /** Resolves once the batch is handled, with the events that failed; rejects if it was withdrawn first. */
  handled: Promise<readonly Refusal[]>;
  /** Withdraws the batch unless it is being handled: its publisher has given up and will publish it again. */
  withdraw(): void;
}

/** A durable consumer in this process. Like a durable on a server, its queue outlives its replicas. */
export interface LocalDurable {
  matches(subject: string): boolean;
  deliver(batch: Batch): Parcel;
  /** Adds a replica. */
  consume(options: ConsumeOptions): Subscription;
  stop(): Promise<void>;
}

export interface LocalDurableOptions {
  name: string;
  /** The most batches in the queue; further publishers wait. */
  maxQueued: number;
  log: Log;
  retries?: Partial<Retries> | undefined;
}

export function createLocalDurable({ name, maxQueued, log, retries }: LocalDurableOptions): LocalDurable {
  const inbox = createInbox();
  const replicas = new Set<Subscription>();
  let waitingForRoom: (() => void)[] = [];
  /** Subjects without wildcards; a consumer of everything names more than a hundred. */
  let names: ReadonlySet<string> = new Set();
  let filters: string[] = [];
  let queued = 0;

  function leaveQueue(): void {
    queued -= 1;
    if (queued < maxQueued) waitingForRoom.shift()?.();
  }

  function deliver(batch: Batch): Parcel {
    const { promise: handled, resolve, reject } = Promise.withResolvers<readonly Refusal[]>();
    let delivery: Delivery | undefined;

    function enter(events: Uint8Array[]): void {
      delivery = { events, attempt: 1, done: () => leave([]), again };
      inbox.add(delivery);
    }

    function firstEnter(): void {
      queued += 1;
      enter(batch.events);
    }

    function leave(refused: readonly Refusal[]): void {
      leaveQueue();
      resolve(refused);
    }

    /**
     * A stopping replica leaves its events to the next one; events that failed go back to their publisher.
     */
    function again(delay: number, events: Uint8Array[], error?: unknown): void {
      if (delay === 0) enter(events);
      else leave(events.map((event) => ({ event, error })));
    }

    function withdraw(): void {
      if (delivery === undefined) {
        waitingForRoom = waitingForRoom.filter((waiting) => waiting !== firstEnter);
      } else if (inbox.remove(delivery)) {
        leaveQueue();
      } else {
        return;
      }
      reject(unavailable(`${name} did not handle the batch ${batch.id} in time`));
    }

    const parcel: Parcel = { handled, withdraw };
    if (queued < maxQueued) firstEnter();
    else waitingForRoom.push(firstEnter);
    return parcel;
  }

  return {
    matches: (subject) => names.has(subject) || filters.some((filter) => matches(filter, subject)),
    deliver,
    consume(options) {
      names = new Set(options.subjects);
      filters = options.subjects.filter((subject) => /[*>]/.test(subject));
      const worker = startWorker({
        name,
        inbox,
        handle: options.handle,
        maxBatch: options.maxBatch ?? 200,
        log,
        ...(retries === undefined ? {} : { retries }),
      });
      const replica: Subscription = {
        async stop() {
          replicas.delete(replica);
          await worker.stop();
        },
      };
      replicas.add(replica);
      return replica;
    },
    async stop() {
      await Promise.all([...replicas].map((replica) => replica.stop()));
    },
  };
}
