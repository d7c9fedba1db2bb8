import type { Bulkhead } from './bulkhead.ts';
import type { ClaimedDestination, Finished, Finishing } from './destinations.ts';
import type { DueQuestion, OutboundKind, Outcome, Send } from './kinds.ts';

/** One destination while this process has it in hand: reads what is due, sends it, and releases it when nothing is left. */
export interface Worker {
  readonly id: string;
  /** Something may be due that was not when it was last asked for. */
  touch(): void;
  /** Another process has it: nothing more is begun here. */
  lose(): void;
  /** Begins nothing more, and releases it when what is in flight has ended. */
  stop(): void;
  /** Resolves when it was released: true when it was touched meanwhile, and may be due again already. */
  readonly ended: Promise<boolean>;
}

export interface WorkerContext<S extends Send> {
  kind: Pick<OutboundKind<S>, 'parallel' | 'passing'>;
  bulkhead: Bulkhead;
  /**
   * Throws nothing: what fails is as if nothing was due, after a while.
   *
   * @param queued in the place of what is due
   */
  due(question: DueQuestion, queued?: readonly unknown[]): Promise<S[] | null>;
  attempt(send: S): Promise<Outcome<S> | null>;
  /**
   * Null when it could not be written.
   *
   * @param finishing releases the destination as well, where the kind settles so
   */
  settle(outcome: Outcome<S>, finishing: Finishing | null): Promise<Finished | 'kept' | null>;
  finish(finishing: Finishing): Promise<Finished>;
  /** When the home may try again what it could not do itself. */
  later(): Date;
}

/** A destination that was claimed, or taken with all that is due there. */
export type Claimed = Pick<ClaimedDestination, 'id' | 'version' | 'failing'> & {
  queued?: readonly unknown[];
};

/** How often something may be due while the kind gives nothing, before it is left alone for a while. */
const mostEmptyFetches = 3;

export function createWorker<S extends Send>(context: WorkerContext<S>, claimed: Claimed): Worker {
  const { kind, bulkhead } = context;
  const { id } = claimed;
  const ended = Promise.withResolvers<boolean>();
  const inFlight = new Map<string, S>();
  let page: S[] = [];
  let { version, failing, queued } = claimed;
  let learned = false;
  /** The last answer was all that is due. */
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
    // Order is kept for healthy addresses alone.
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
    // Nothing follows this one, so that the destination can go with it.
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

  /** Something is due after all. */
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
