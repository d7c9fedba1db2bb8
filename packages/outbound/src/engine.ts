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
 * Sends what is due, for every kind that was added. Work is claimed by destination, under a lease: one process at a time
 * sends to an address.
 */
export interface Engine {
  /** Something became due, at these destinations if they are known: for right after a commit. */
  poke(destinations?: readonly string[]): void;
  /**
   * Queues sends of a kind by a statement, which is given a lease when there is room for `count` more destinations. Those
   * that it took are sent to at once, without being claimed; the others are poked.
   */
  queue(
    kind: number,
    count: number,
    statement: (lease: Lease | null) => Promise<readonly Queued[]>,
  ): Promise<readonly Queued[]>;
  add<S extends Send>(kind: OutboundKind<S>): void;
  /** Takes what is due as far as there is room; the rest follows as room is made. Nothing rests on a poke. */
  sweep(): Promise<void>;
  /** Keeps what is in hand for another while. */
  renew(): Promise<void>;
  /** Takes nothing new; resolves when what is in hand has ended and its destinations are left to others. */
  stop(): Promise<void>;
}

/**
 * An attempt takes some 60 KB with its connection, so that these bounds come to 150 MB at worst. 1,000 addresses that
 * do not answer hold up the others for less than a second, once.
 */
const usualBounds: BulkheadOptions = {
  ...{ healthy: 256, failing: 256, slow: 2_048 },
  ...{ slowAfterMs: 250, failingEveryMs: 4 },
};
/** The most attempts in flight at once, each of which needs a connection: to another address than all others, at worst. */
export const mostAttempts = usualBounds.healthy + usualBounds.failing + usualBounds.slow;
const leaseMs = 15 * second;
/** For attempts in hand at a stop; one that takes longer is given up and tried again later. */
const graceMs = 8 * second;

export interface Deps extends Pick<Host, 'bus' | 'clock' | 'database' | 'ids' | 'log'> {
  /** Has the table `destinations`, as services/delivery/migrations/0004-outbound.sql made it. */
  schema: string;
}

/** The engine of a service, with the jobs that it needs. */
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
  /** The last claim took all that there was room for: more may be due. */
  let leftOver = false;

  function begin({ kind, ...claimed }: Claimed & { kind: number }): void {
    const { id, queued, ...rest } = claimed;
    const known = workers.get(id);
    if (known !== undefined) {
      // It is new again: that of before is at its end, and one that begins now asks what is due.
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
   * This process claimed a destination that it had in hand: after a lease that ran out, or after a release whose answer
   * was still on its way. After the second the lease stays, and no worker is left.
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
    // A process that has one of them in hand already learns of it by the signal.
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
      // Those whose content is still asked for have no permit yet.
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
