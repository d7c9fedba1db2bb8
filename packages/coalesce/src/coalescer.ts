import { asHearthError, unavailable } from '@hearth/errors';
import { type AskingTrace, askingTrace, runFor, tracing } from '@hearth/telemetry';

export interface CoalescerOptions<Item, Result> {
  /** Processes all items in one call; returns one result or error per item, in order. */
  run(items: Item[]): Promise<(Result | Error)[]>;
  /** The maximum number of concurrent runs (1 to 16; default 2). */
  maxInFlight?: number;
  /** The maximum number of items in a run (default 200). */
  maxBatch?: number;
  /** The maximum number of items waiting for a run; beyond it, `add` rejects with `unavailable` (default 20,000). */
  maxWaiting?: number;
  /**
   * For runs that are all-or-nothing: if a run throws, its halves run separately, so that one bad item fails alone.
   * An error that is `unavailable` or late concerns all items and is not retried.
   */
  splitOnError?: boolean;
  /**
   * The minimum time between the starts of two runs, in milliseconds (default 0). An item that arrives after a pause
   * runs
   * immediately; under load, items wait at most this long and share a run.
   */
  spacingMs?: number;
  /** Names the trace span of a run of several items; without it, such runs have no span. */
  name?: string;
}

export interface Coalescer<Item, Result> {
  /** Resolves with the item's own result when its run has ended. */
  add(item: Item): Promise<Result>;
  /** Resolves when nothing is waiting or in flight. */
  idle(): Promise<void>;
}

interface QueuedItem<Item, Result> {
  item: Item;
  asker: AskingTrace;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Batches items that arrive while earlier work is in flight into the next run. An idle caller pays no delay (the run
 * starts
 * in the same turn of the event loop); a busy one pays one round trip for many items. Every hot path of a home uses
 * this.
 */
export function createCoalescer<Item, Result>(
  options: CoalescerOptions<Item, Result>,
): Coalescer<Item, Result> {
  const {
    run,
    maxInFlight = 2,
    maxBatch = 200,
    maxWaiting = 20_000,
    splitOnError = false,
    spacingMs = 0,
    name,
  } = options;
  let waiting: QueuedItem<Item, Result>[] = [];
  let inFlight = 0;
  let scheduled = false;
  let lastStart = Number.NEGATIVE_INFINITY;
  const idleWaiters: (() => void)[] = [];

  function schedule(): void {
    if (scheduled || inFlight >= maxInFlight || waiting.length === 0) return;
    scheduled = true;
    // setImmediate lets everything from the present turn of the event loop join the run.
    const pause = spacingMs === 0 ? 0 : lastStart + spacingMs - performance.now();
    if (pause <= 0) setImmediate(startRuns);
    else setTimeout(startRuns, pause);
  }

  function startRuns(): void {
    scheduled = false;
    if (spacingMs > 0) lastStart = performance.now();
    while (waiting.length > 0 && inFlight < maxInFlight) start();
  }

  function start(): void {
    const batch = waiting.slice(0, maxBatch);
    waiting = waiting.slice(maxBatch);
    inFlight += 1;
    void settle(batch).finally(() => {
      inFlight -= 1;
      schedule();
      if (inFlight === 0 && waiting.length === 0) {
        for (const wake of idleWaiters.splice(0)) wake();
      }
    });
  }

  async function settle(batch: QueuedItem<Item, Result>[]): Promise<void> {
    try {
      const items = batch.map((entry) => entry.item);
      const results = await (tracing.enabled ? runTraced(batch, items) : runWhole(items));
      batch.forEach((entry, index) => {
        const result = results[index];
        if (result instanceof Error) entry.reject(result);
        else entry.resolve(result as Result);
      });
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
  }

  async function runWhole(items: Item[]): Promise<(Result | Error)[]> {
    if (!splitOnError) return run(items);
    try {
      return await run(items);
    } catch (thrown) {
      const error = asHearthError(thrown);
      if (items.length === 1) return [error];
      if (error.kind !== 'internal') throw error;
      const middle = items.length >> 1;
      return [...(await runWhole(items.slice(0, middle))), ...(await runWhole(items.slice(middle)))];
    }
  }

  /** Without this, a run would belong to the trace of whichever request started it. */
  function runTraced(batch: QueuedItem<Item, Result>[], items: Item[]): Promise<(Result | Error)[]> {
    const askers = batch.map((entry) => entry.asker);
    return runFor(askers, name, () => runWhole(items));
  }

  return {
    add(item) {
      if (waiting.length >= maxWaiting) {
        return Promise.reject(unavailable('the home is busy; try again in a moment'));
      }
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, asker: askingTrace(), resolve, reject });
        schedule();
      });
    },
    idle() {
      if (inFlight === 0 && waiting.length === 0) return Promise.resolve();
      return new Promise((resolve) => idleWaiters.push(resolve));
    },
  };
}
