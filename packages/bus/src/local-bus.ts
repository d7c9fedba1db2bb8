import { second } from '@hearth/clock';
import { unavailable } from '@hearth/errors';
import type { Batch, Bus, Log, Refusal } from './bus.ts';
import { withDeadline } from './deadline.ts';
import { createLocalDurable, type LocalDurable, type Parcel } from './local-durable.ts';
import { createLocalSignals } from './local-signals.ts';
import { checkFilter, checkSubject } from './subjects.ts';
import type { Retries } from './worker.ts';

export interface LocalBusOptions {
  log: Log;
  /** Milliseconds until a publish that is not fully handled rejects (default 5,000). */
  publishDeadline?: number;
  /** The most batches in one durable's queue (default 1,000); further publishers wait. */
  maxQueued?: number;
  retries?: Partial<Retries>;
}

/** A batch in progress; publishing it again under the same id waits for the same handling. */
interface Publishing {
  parcels: Parcel[];
  handled: Promise<readonly Refusal[]>;
  fail(error: Error): void;
}

const closed = () => unavailable('the bus is closed');

/**
 * The in-process bus of a home. A durable exists from its first `consume` on and queues batches while it has
 * no replica. It misses anything published before, so consumers start before publishers.
 */
export function createLocalBus(options: LocalBusOptions): Bus {
  const { log, publishDeadline = 5 * second, maxQueued = 1_000, retries } = options;
  const durables = new Map<string, LocalDurable>();
  const publishing = new Map<string, Publishing>();
  const signals = createLocalSignals(log);
  let stopped = false;

  function begin(batch: Batch): Publishing {
    const { promise: handled, resolve, reject: fail } = Promise.withResolvers<readonly Refusal[]>();
    const takers = [...durables.values()].filter((durable) => durable.matches(batch.subject));
    const parcels = takers.map((durable) => durable.deliver(batch));
    Promise.all(parcels.map((parcel) => parcel.handled))
      .finally(() => publishing.delete(batch.id))
      .then((refused) => resolve(refused.flat()), fail);
    const entry = { parcels, handled, fail };
    publishing.set(batch.id, entry);
    return entry;
  }

  async function stopConsuming(): Promise<void> {
    stopped = true;
    await Promise.all([...durables.values()].map((durable) => durable.stop()));
    for (const entry of publishing.values()) entry.fail(closed());
  }

  return {
    async publish(batch) {
      checkSubject(batch.subject);
      if (stopped) throw closed();
      const entry = publishing.get(batch.id) ?? begin(batch);
      const late = () => unavailable(`the batch ${batch.id} was not handled within ${publishDeadline} ms`);
      try {
        return { refused: await withDeadline(entry.handled, publishDeadline, late) };
      } catch (error) {
        // The outbox publishes it again; kept here too, copies would fill the queues during an outage.
        for (const parcel of entry.parcels) parcel.withdraw();
        throw error;
      }
    },
    async consume(options) {
      if (stopped) throw closed();
      for (const filter of options.subjects) checkFilter(filter);
      const { durable: name } = options;
      const durable = durables.get(name) ?? createLocalDurable({ name, maxQueued, log, retries });
      durables.set(name, durable);
      return durable.consume(options);
    },
    mayConsume: (name) => durables.has(name),
    signal: signals.signal,
    heard: signals.heard,
    onSignal: signals.onSignal,
    onReconnect: () => {},
    epoch: () => 'in-process',
    // An event is only confirmed once its consumers have handled it.
    verify: async () => {},
    health: () => (stopped ? { ok: false, reason: closed().message } : { ok: true }),
    stopConsuming,
    async close() {
      await stopConsuming();
      signals.close();
    },
  };
}
