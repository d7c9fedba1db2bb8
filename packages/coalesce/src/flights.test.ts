import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { keyedMutex, singleFlight } from './index.ts';

describe('a single flight', () => {
  test('runs once at a time, and once more for all requests that arrive during a run', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const flight = singleFlight(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await turn();
        runs += 1;
        running -= 1;
      },
      () => {},
    );
    await Promise.all([flight.run(), flight.run(), flight.run()]);
    expect([runs, most]).toEqual([2, 1]);
    await flight.idle();
    await flight.run();
    expect(runs).toBe(3);
  });

  test('reports a failure to the waiting caller, or to onError, and continues', async () => {
    const failures: unknown[] = [];
    let fails = true;
    const flight = singleFlight(
      async () => {
        await turn();
        if (fails) throw new Error('not this time');
      },
      (error) => failures.push(error),
    );
    await expect(flight.run()).rejects.toThrow('not this time');
    flight.poke();
    await flight.idle();
    expect(failures).toHaveLength(1);
    fails = false;
    await flight.run();
    expect(failures).toHaveLength(1);
  });
});

describe('a keyed mutex', () => {
  test('runs work of one key in order, in parallel with other keys, and continues after a failure', async () => {
    const mutex = keyedMutex();
    const done: string[] = [];
    const work = (name: string, turns: number) => async () => {
      for (let count = 0; count < turns; count += 1) await turn();
      done.push(name);
      return name;
    };
    const failing = mutex.run('a', async () => {
      await turn();
      throw new Error('no');
    });
    const all = [mutex.run('a', work('a1', 3)), mutex.run('b', work('b1', 0)), mutex.run('a', work('a2', 0))];
    await expect(failing).rejects.toThrow('no');
    expect(await Promise.all(all)).toEqual(['a1', 'b1', 'a2']);
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });
});
