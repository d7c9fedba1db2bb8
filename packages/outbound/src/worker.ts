import type { Bulkhead } from './bulkhead.ts';
import type { ClaimedDestination, Finished, Finishing } from './destinations.ts';
import type { DueQuestion, OutboundKind, Outcome, Send } from './kinds.ts';

/**
 * A destination held by this process. The worker fetches due sends, sends them, and releases the destination
 * once nothing is left.
 */
export interface Worker {
  readonly id: string;
  /** Signals that work may have become due since the last query. */
  touch(): void;
  /** Stops new attempts: another process holds the destination now. */
  lose(): void;
  /** Stops new attempts, and releases the destination once those in flight have ended. */
  stop(): void;
  /** Resolves on release; true if the destination was touched meanwhile and may be due again. */
  readonly ended: Promise<boolean>;
}

export interface WorkerContext<S extends Send> {
  kind: Pick<OutboundKind<S>, 'parallel' | 'passing'>;
  bulkhead: Bulkhead;
  /**
   * Never throws; a failure looks like no due work, after a pause.
   *
   * @param queued used instead of querying due work
   */
  due(question: DueQuestion, queued?: readonly unknown[]): Promise<S[] | null>;
  attempt(send: S): Promise<Outcome<S> | null>;
  /**
   * Returns null if the outcome could not be written.
   *
   * @param finishing also releases the destination, if the kind settles that way
   */
  settle(outcome: Outcome<S>, finishing: Finishing | null): Promise<Finished | 'kept' | null>;
  finish(finishing: Finishing): Promise<Finished>;
  /** When to retry after a failure of the home itself. */
  later(): Date;
}

/** A destination that was claimed, or was taken with all its queued work. */
export type Claimed = Pick<ClaimedDestination, 'id' | 'version' | 'failing'> & {
  queued?: readonly unknown[];
};

/** How many empty answers to accept while work seems due, before pausing. */
const mostEmptyFetches = 3;

export function createWorker<S extends Send>(context: WorkerContext<S>, claimed: Claimed): Worker {
  const { kind, bulkhead } = context;
  const { id } = claimed;
  const ended = Promise.withResolvers<boolean>();
  const inFlight = new Map<string, S>();
  let page: S[] = [];
  let { version, failing, queued } = claimed;
  let learned = false;
  /** Whether the last answer held all due work. */
  let dry = false;
  let emptyFetches = 0;
  let busy = false;
  let waiting = false;
  let paused = false;
  let stopped = false;
  let lost = false;
  let touched = false;
  let done = false;

  const most = () => (failing ? 1 : kind.parallel);
  const begins = () => !stopped && !lost && !paused;

  function busyKeys(): Set<string | null> {
    // Order only applies to healthy destinations.
    return failing ? new Set() : new Set([...inFlight.values()].map(({ orderKey }) => orderKey));
  }

  function takeNext(): S | undefined {
    const busyNow = busyKeys();
    const index = page.findIndex(({ orderKey }) => orderKey === null || !busyNow.has(orderKey));
    return index < 0 ? undefined : page.splice(index, 1)[0];
  }

  function advance(): void {
    if (done || (waiting && begins())) return;
    if (begins()) {
      while (inFlight.size < most()) {
        const send = takeNext();
        if (send === undefined) break;
        if (!begin(send)) return;
      }
      if (!busy && !dry && inFlight.size < most()) return void fetchDue();
    }
    if (busy || inFlight.size > 0) return;
    if (begins() && page.length > 0) return;
    void release();
  }

  function begin(send: S): boolean {
    const permit = bulkhead.acquire(failing ? 'failing' : 'healthy', () => {
      waiting = false;
      advance();
    });
    if (permit === null) {
      page.unshift(send);
      waiting = true;
      return false;
    }
    inFlight.set(send.id, send);
    void sendOne(send).finally(() => {
      permit.release();
      inFlight.delete(send.id);
      advance();
    });
    return true;
  }

  async function sendOne(send: S): Promise<void> {
    const outcome = await context.attempt(send);
    if (outcome === null) return pause();
    const fails = outcome.error !== null;
    // Nothing follows, so the destination can be released with it.
    const last = kind.passing && begins() && !busy && dry && page.length === 0 && inFlight.size === 1;
    if (last) {
      busy = true;
      touched = false;
    }
    const finishing = last ? { id, version, failing: fails, notBefore: null } : null;
    const became = await context.settle(outcome, finishing);
    if (last) busy = false;
    if (became === null) return pause();
    learned = true;
    failing = fails;
    if (became === 'kept') return;
    if (typeof became === 'number') goOn(became);
    else end();
  }

  function pause(): void {
    paused = true;
    page = [];
  }

  async function fetchDue(): Promise<void> {
    busy = true;
    dry = true;
    const limit = failing ? 1 : kind.parallel * 2;
    const inHand = [...inFlight.keys(), ...page.map((send) => send.id)];
    const keys = failing ? [] : [...inFlight.values(), ...page].flatMap(({ orderKey }) => orderKey ?? []);
    const question = { destination: id, limit, inHand, busyKeys: [...new Set(keys)] };
    const found = await context.due(question, queued);
    queued = undefined;
    busy = false;
    if (found === null) pause();
    else {
      page.push(...found);
      if (found.length >= limit) dry = false;
      if (found.length > 0) emptyFetches = 0;
    }
    advance();
  }

  function end(): void {
    done = true;
    ended.resolve(touched);
  }

  async function release(): Promise<void> {
    busy = true;
    touched = false;
    if (lost) return end();
    const forced = stopped || paused || emptyFetches >= mostEmptyFetches;
    const notBefore = forced ? (stopped && !paused ? new Date(0) : context.later()) : null;
    const became = await context.finish({ id, version, failing: learned ? failing : null, notBefore });
    if (typeof became !== 'number') return end();
    goOn(became);
    busy = false;
    advance();
  }

  /** Continues: work is due after all. */
  function goOn(since: number): void {
    version = since;
    emptyFetches += 1;
    dry = false;
  }

  advance();
  return {
    id,
    ended: ended.promise,
    touch() {
      dry = false;
      touched = true;
      advance();
    },
    lose() {
      lost = true;
      page = [];
      advance();
    },
    stop() {
      stopped = true;
      page = [];
      advance();
    },
  };
}
