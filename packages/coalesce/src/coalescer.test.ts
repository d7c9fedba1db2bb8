import { unavailable } from '@hearth/errors';
import { describe, expect, test } from '@jest/globals';
import { createCoalescer } from './coalescer.ts';

/** A run that the test ends when it wants to. */
function heldRun() {
  const batches: number[][] = [];
  const releases: (() => void)[] = [];
  return {
    batches,
    release: () => releases.shift()?.(),
    run: async (items: number[]) => {
      batches.push(items);
      await new Promise<void>((resolve) => releases.push(resolve));
      return items.map((item) => (item < 0 ? new Error(`refused ${item}`) : item * 10));
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a coalescer', () => {
  test('runs a lone item at once', async () => {
    const coalescer = createCoalescer<number, number>({ run: async (items) => items });
    expect(await coalescer.add(7)).toBe(7);
  });

  test('sends items that arrive during a run together in the next run', async () => {
    const held = heldRun();
    const coalescer = createCoalescer<number, number>({ run: held.run, maxInFlight: 1 });
    const first = coalescer.add(1);
    await turn();
    const others = [coalescer.add(2), coalescer.add(3), coalescer.add(4)];
    await turn();
    expect(held.batches).toEqual([[1]]);
    held.release();
    expect(await first).toBe(10);
    await turn();
    await turn();
    expect(held.batches).toEqual([[1], [2, 3, 4]]);
    held.release();
    expect(await Promise.all(others)).toEqual([20, 30, 40]);
  });

  test('settles each item with its own error or result', async () => {
    const held = heldRun();
    const coalescer = createCoalescer<number, number>({ run: held.run });
    const good = coalescer.add(1);
    const bad = coalescer.add(-1);
    await turn();
    held.release();
    expect(await good).toBe(10);
    await expect(bad).rejects.toThrow('refused -1');
  });

  test('rejects every item of a run that throws, and continues with the next run', async () => {
    let fail = true;
    const coalescer = createCoalescer<number, number>({
      run: async (items) => {
        if (fail) throw new Error('the database is away');
        return items;
      },
    });
    await expect(Promise.all([coalescer.add(1), coalescer.add(2)])).rejects.toThrow('the database is away');
    fail = false;
    expect(await coalescer.add(3)).toBe(3);
  });

  test('keeps to its bounds: batch size, runs in flight, items waiting', async () => {
    const held = heldRun();
    const coalescer = createCoalescer<number, number>({
      run: held.run,
      maxInFlight: 2,
      maxBatch: 2,
      maxWaiting: 5,
    });
    const added = [1, 2, 3, 4, 5].map((item) => coalescer.add(item));
    await expect(coalescer.add(6)).rejects.toThrow('busy');
    await turn();
    expect(held.batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
    held.release();
    held.release();
    await turn();
    await turn();
    held.release();
    expect(await Promise.all(added)).toEqual([10, 20, 30, 40, 50]);
    await coalescer.idle();
  });

  test('isolates an item that makes all-or-nothing work fail', async () => {
    const runs: number[][] = [];
    const coalescer = createCoalescer<number, number>({
      splitOnError: true,
      run: async (items) => {
        runs.push(items);
        if (items.includes(3)) throw new TypeError('cannot write 3');
        return items;
      },
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => coalescer.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(runs[0]).toEqual([1, 2, 3, 4, 5]);
  });

  test('does not rerun items when a dependency of all is unavailable', async () => {
    let runs = 0;
    const coalescer = createCoalescer<number, number>({
      splitOnError: true,
      run: async () => {
        runs += 1;
        throw unavailable('the database is away');
      },
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => coalescer.add(item)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(runs).toBe(1);
  });

  test('runs at once after a pause, and spaces runs under load', async () => {
    const starts: number[] = [];
    const sizes: number[] = [];
    const coalescer = createCoalescer<number, number>({
      spacingMs: 50,
      run: async (items) => {
        starts.push(performance.now());
        sizes.push(items.length);
        return items;
      },
    });
    const first = coalescer.add(1);
    await turn();
    // Begun within a turn of the loop: no timer was set for it.
    expect(sizes).toEqual([1]);
    await first;
    await Promise.all([coalescer.add(2), turn().then(() => coalescer.add(3))]);
    expect(sizes).toEqual([1, 2]);
    expect(starts[1]! - starts[0]!).toBeGreaterThanOrEqual(48);
  });
});
