import { unavailable } from '@hearth/errors';
import type { Batch, ConsumeOptions, Log, Subscription } from './bus.ts';
import { createInbox, type Delivery } from './inbox.ts';
import { matches } from './subjects.ts';
import { startWorker, type Retries } from './worker.ts';

/** A durable consumer in this process: its queue outlives its workers, as a durable on a server outlives replicas. */
export interface LocalDurable {
  matches(subject: string): boolean;
  /** Resolves once the batch was handled. Rejects when `abandoned` fires while it still waits for room in the queue. */
  deliver(batch: Batch, abandoned: AbortSignal): Promise<void>;
  /** Adds a replica. */
  consume(options: ConsumeOptions): Subscription;
  stop(): Promise<void>;
}

export interface LocalDurableOptions {
  name: string;
  /** The most batches in the queue; more wait with their publishers. */
  maxQueued: number;
  log: Log;
  retries?: Partial<Retries> | undefined;
}

export function createLocalDurable({ name, maxQueued, log, retries }: LocalDurableOptions): LocalDurable {
  const inbox = createInbox();
  const replicas = new Set<Subscription>();
  const asideTimers = new Set<NodeJS.Timeout>();
  const waitingForRoom: (() => void)[] = [];
  let filters: string[] = [];
  let queued = 0;

  function makeRoom(): void {
    queued -= 1;
    while (queued < maxQueued && waitingForRoom.length > 0) waitingForRoom.shift()!();
  }

  function enqueue(events: Uint8Array[], handled: () => void): void {
    queued += 1;
    const delivery = (attempt: number): Delivery => ({
      events,
      attempt,
      done() {
        makeRoom();
        handled();
      },
      again(delay) {
        const timer = setTimeout(() => {
          asideTimers.delete(timer);
          inbox.add(delivery(attempt + 1));
        }, delay);
        asideTimers.add(timer);
      },
    });
    inbox.add(delivery(1));
  }

  return {
    matches: (subject) => filters.some((filter) => matches(filter, subject)),
    deliver(batch, abandoned) {
      return new Promise((resolve, reject) => {
        if (queued < maxQueued) return enqueue(batch.events, resolve);
        const enter = () => {
          abandoned.removeEventListener('abort', leave);
          enqueue(batch.events, resolve);
        };
        const leave = () => {
          waitingForRoom.splice(waitingForRoom.indexOf(enter), 1);
          reject(unavailable(`the queue of ${name} is full`));
        };
        waitingForRoom.push(enter);
        abandoned.addEventListener('abort', leave, { once: true });
      });
    },
    consume(options) {
      filters = options.subjects;
      const worker = startWorker({
        name,
        inbox,
        handle: (events) => options.handle(events),
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
      for (const timer of asideTimers) clearTimeout(timer);
      asideTimers.clear();
      await Promise.all([...replicas].map((replica) => replica.stop()));
    },
  };
}
