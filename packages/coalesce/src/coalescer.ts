import { asHearthError, unavailable } from '@hearth/errors';
import { type AskingTrace, askingTrace, runFor, tracing } from '@hearth/telemetry';

export interface CoalescerOptions<Item, Result> {
  /** Does the work for all items at once; answers one result, or one error, for each item in order. */
  run(items: Item[]): Promise<(Result | Error)[]>;
  /** How many runs may be in flight at once (1 to 16; default 2). */
  maxInFlight?: number;
  /** The most items in one run (default 200). */
  maxBatch?: number;
  /** The most items waiting for a run; one more is refused as `unavailable` (default 20,000). */
  maxWaiting?: number;
  /**
   * For a run that does all or nothing: when it throws for many, its halves are run apart, so that an item at
   * which it fails fails alone. An error that is `unavailable` or late concerns all items and is not tried again.
   */
  splitOnError?: boolean;
  /**
   * The least time between the starts of two runs, in milliseconds (default 0). Whoever comes after a pause is run
   * at once; when much comes, each waits so long at most and many go at the price of one.
   */
  spacingMs?: number;
  /** Names the span of a run for several; without it such runs have none of their own. */
  name?: string;
}

export interface Coalescer<Item, Result> {
  /** Resolves with the item's own result once the run that carries it has ended. */
  add(item: Item): Promise<Result>;
  /** Resolves when nothing waits and nothing is in flight. */
  idle(): Promise<void>;
}

interface QueuedItem<Item, Result> {
  item: Item;
  asker: AskingTrace;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Gathers what arrives while earlier work is in flight and sends it together in the next run. An idle
 * caller pays no delay (the run starts in the same turn of the event loop), a busy one pays one round
 * trip for many items. Every hot path of a home goes through this one piece.
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
    // setImmediate lets everything that the present turn of the event loop brings in join the run.
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

  /** Else a run would belong to whichever request happened to start it. */
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
