import { second } from '@hearth/clock';
import { singleFlight } from '@hearth/coalesce';
import type { Outbound, OutboundKind, Send } from '../../shared/domain/outbound.ts';
import type { Deps } from '../context.ts';
import { claimDestinations, renewLeases } from '../db/destinations.ts';
import { type BulkheadOptions, createBulkhead } from './bulkhead.ts';
import { createDueSignal } from './due-signal.ts';
import { createKindRunner, type KindRunner } from './kind-runner.ts';
import { recordInHand } from './metrics.ts';
import { type Claimed, createWorker, type Worker } from './worker.ts';

/**
 * Sends what is due, for every kind that was added. Work is claimed by destination, under a lease: one process at a time
 * sends to an address.
 */
export interface Engine extends Pick<Outbound, 'poke' | 'queue'> {
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
const usualBounds: BulkheadOptions = { healthy: 256, failing: 256, slow: 2_048, slowAfterMs: 250 };
const leaseMs = 15 * second;
/** For attempts in hand at a stop; one that takes longer is given up and tried again later. */
const graceMs = 8 * second;

export function createEngine(
  { bus, clock, database, ids, log }: Deps,
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
      // The lease ran out and was taken by this very process: it goes on where it is.
      else known.touch();
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
      claimDestinations(tx, {
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

  const signal = createDueSignal(bus, lease, (destinations) => {
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
        createKindRunner({ clock, database, log, lease, signal: ending.signal }, kind),
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
      const kept = await database.statement((tx) => renewLeases(tx, lease, leaseMs, [...workers.keys()]));
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
