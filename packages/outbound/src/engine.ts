import { second } from '@hearth/clock';
import { singleFlight } from '@hearth/coalesce';
import type { Host } from '@hearth/runtime';
import { type BulkheadOptions, createBulkhead } from './bulkhead.ts';
import { claimDestinations, dueOf, renewLeases } from './destinations.ts';
import { createDueSignal } from './due-signal.ts';
import { createKindRunner, type KindRunner } from './kind-runner.ts';
import type { Lease, OutboundKind, Queued, Send } from './kinds.ts';
import { recordInHand } from './metrics.ts';
import { type Claimed, createWorker, type Worker } from './worker.ts';

/**
 * Sends due work of all added kinds. Work is claimed by destination under a lease: only one process at a time
 * sends to a destination.
 */
export interface Engine {
  /** Signals that work became due, at these destinations if known; call right after a commit. */
  poke(destinations?: readonly string[]): void;
  /**
   * Queues sends of a kind by a statement, which gets a lease if there is room for `count` more destinations.
   * Destinations that the statement takes are sent to at once, without a claim; the others are poked.
   */
  queue(
    kind: number,
    count: number,
    statement: (lease: Lease | null) => Promise<readonly Queued[]>,
  ): Promise<readonly Queued[]>;
  add<S extends Send>(kind: OutboundKind<S>): void;
  /**
   * Claims due work as far as there is room; the rest follows as room is made. Works even if pokes are lost.
   */
  sweep(): Promise<void>;
  /** Renews the leases. */
  renew(): Promise<void>;
  /** Claims nothing more; resolves once all attempts have ended and the destinations are released. */
  stop(): Promise<void>;
}

/**
 * An attempt takes about 60 KB with its connection, so these bounds mean at most 150 MB. 1,000 unresponsive
 * destinations delay the others by less than a second, once.
 */
const usualBounds: BulkheadOptions = {
  ...{ healthy: 256, failing: 256, slow: 2_048 },
  ...{ slowAfterMs: 250, failingEveryMs: 4 },
};
/** The most attempts in flight, each of which may need a connection of its own. */
export const mostAttempts = usualBounds.healthy + usualBounds.failing + usualBounds.slow;
const leaseMs = 15 * second;
/** The time for attempts in flight to end on a stop; longer ones are aborted and retried later. */
const graceMs = 8 * second;

export interface Deps extends Pick<Host, 'bus' | 'clock' | 'database' | 'ids' | 'log'> {
  /** The schema with the table `destinations`, as in services/delivery/migrations/0004-outbound.sql. */
  schema: string;
}

/** Starts a service's engine and its jobs. */
export function startEngine(host: Host, schema: string): Engine {
  const engine = createEngine({ ...host, schema });
  const { sendDue, leftBehind } = dueOf(schema, leaseMs);
  host.whenDue('send-due', second, sendDue, () => engine.sweep());
  host.whenDue('take-left-behind', second, leftBehind, () => engine.sweep());
  host.every('renew-leases', 5 * second, () => engine.renew());
  host.onDrain(() => engine.stop());
  return engine;
}

export function createEngine(
  { bus, clock, database, ids, log, schema }: Deps,
  bounds: BulkheadOptions = usualBounds,
): Engine {
  const lease = ids.uuid();
  const bulkhead = createBulkhead(bounds, () => {
    if (leftOver) claim.poke();
  });
  const ending = new AbortController();
  const runners = new Map<number, KindRunner>();
  const workers = new Map<string, Worker>();
  let stopped = false;
  /** Whether the last claim used all the room, so that more may be due. */
  let leftOver = false;

  function begin({ kind, ...claimed }: Claimed & { kind: number }): void {
    const { id, queued, ...rest } = claimed;
    const known = workers.get(id);
    if (known !== undefined) {
      // The destination was queued again while its worker was ending: start a new worker, which fetches due
      // work.
      if (queued !== undefined) void known.ended.then(() => begin({ kind, id, ...rest }));
      else {
        known.touch();
        void known.ended.then(() => goOnIfHeld({ kind, id, ...rest }));
      }
      return;
    }
    const runner = runners.get(kind)!;
    const worker = createWorker(runner.contextOf(bulkhead), claimed);
    workers.set(id, worker);
    recordInHand(runner.kind, 1);
    if (stopped) worker.stop();
    void worker.ended.then((touched) => {
      workers.delete(id);
      recordInHand(runner.kind, -1);
      if (touched) claim.poke();
    });
  }

  /**
   * This process claimed a destination that it already held: the lease had expired, or the answer to a
   * release was still in transit. After a release the lease remains, but no worker is left.
   */
  async function goOnIfHeld(claimed: Claimed & { kind: number }): Promise<void> {
    if (workers.has(claimed.id)) return;
    try {
      const held = await database.statement((tx) => renewLeases(tx, schema, lease, leaseMs, [claimed.id]));
      if (held.has(claimed.id)) begin(claimed);
    } catch (err) {
      log.warn({ err }, 'an address waits until its lease runs out');
    }
  }

  const claim = singleFlight(
    async () => {
      try {
        await claimDue();
      } catch (err) {
        log.warn({ err }, 'what is due to be sent waits for the next sweep');
      }
    },
    () => {},
  );

  async function claimDue(): Promise<void> {
    const room = bulkhead.room();
    if (stopped || runners.size === 0) return;
    const claimed = await database.statement((tx) =>
      claimDestinations(tx, schema, {
        kinds: [...runners.keys()],
        now: new Date(clock.now()),
        lease,
        leaseMs,
        ...room,
      }),
    );
    const failing = claimed.filter((each) => each.failing).length;
    leftOver = failing >= room.failing || claimed.length - failing >= room.healthy;
    for (const each of claimed) begin(each);
  }

  const signal = createDueSignal(bus, schema, lease, (destinations) => {
    for (const id of destinations) workers.get(id)?.touch();
    if (destinations.some((id) => !workers.has(id))) claim.poke();
  });

  function poke(destinations: readonly string[] = []): void {
    for (const id of destinations) workers.get(id)?.touch();
    if (destinations.length > 0 && destinations.every((id) => workers.has(id))) return;
    // If this process holds the destination already, its worker learns of the work from the signal.
    void claim.run().then(() => signal.notify(destinations.filter((id) => !workers.has(id))));
  }

  return {
    poke,
    add(kind) {
      runners.set(
        kind.number,
        createKindRunner({ clock, database, log, schema, lease, signal: ending.signal }, kind),
      );
    },
    async queue(kind, count, statement) {
      // Workers still fetching their content have no permit yet.
      const hasRoom = !stopped && workers.size + count <= bulkhead.room().healthy;
      const queued = await statement(hasRoom ? { id: lease, ms: leaseMs } : null);
      for (const { taken, destination: id, sends } of queued)
        if (taken) begin({ kind, id, version: 0, failing: false, queued: sends });
      const others = queued.flatMap(({ taken, destination }) => (taken ? [] : destination));
      if (others.length > 0) poke(others);
      return queued;
    },
    sweep: claim.run,
    async renew() {
      if (workers.size === 0) return;
      const held = [...workers.values()];
      const kept = await database.statement((tx) =>
        renewLeases(tx, schema, lease, leaseMs, [...workers.keys()]),
      );
      for (const worker of held) if (!kept.has(worker.id)) worker.lose();
    },
    async stop() {
      stopped = true;
      signal.stop();
      await claim.idle();
      for (const worker of workers.values()) worker.stop();
      const grace = setTimeout(() => ending.abort(), graceMs);
      await Promise.all([...workers.values()].map((worker) => worker.ended));
      clearTimeout(grace);
      await Promise.all([...runners.values()].map((runner) => runner.idle()));
    },
  };
}
