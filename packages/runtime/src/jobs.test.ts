import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@hearth/clock';
import { systemRandom } from '@hearth/ids';
import { createLogger } from '@hearth/telemetry';
import { eventually } from '@hearth/testkit';
import { describe, expect, jest, test } from '@jest/globals';
import { createDueTimer } from './due-timer.ts';
import { createJobs } from './jobs.ts';

const lines: string[] = [];
const log = createLogger({ level: 'warn', service: 'test', stream: { write: (line) => lines.push(line) } });

const due = createDueTimer({ clock: systemClock, log, ask: async () => [], tell: () => {} });

function startedJobs() {
  const jobs = createJobs({ log, random: systemRandom, due });
  jobs.start();
  return jobs;
}

describe('a job', () => {
  test('starts with the others, once all consumers run', async () => {
    const jobs = createJobs({ log, random: systemRandom, due });
    let runs = 0;
    jobs.every('early', 1, async () => {
      runs += 1;
    });
    await sleep(20);
    expect(runs).toBe(0);
    jobs.start();
    await eventually(() => runs > 0);
    await jobs.stop();
  });

  test('has its first run at a different time than the others', async () => {
    const jobs = createJobs({ log, random: systemRandom, due });
    const began = new Set<number>();
    for (let job = 0; job < 20; job += 1)
      jobs.every(`job ${job}`, 250, async () => void began.add(Math.round(performance.now() / 10)));
    jobs.start();
    await sleep(260);
    await jobs.stop();
    expect(began.size).toBeGreaterThan(5);
  });

  test('has its first run within a minute, however long its interval', async () => {
    const pauses: unknown[] = [];
    const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((_: unknown, ms: unknown) => {
      pauses.push(ms);
      return { unref() {} };
    }) as never);
    const jobs = createJobs({ log, random: { bytes: () => Buffer.from([255]) } as never, due });
    jobs.every('daily', 86_400_000, async () => {});
    jobs.start();
    spy.mockRestore();
    expect(pauses).toContain(60_000);
    expect(Math.max(...(pauses as number[]))).toBe(60_000);
  });

  test('repeats, and never runs concurrently', async () => {
    const jobs = startedJobs();
    let running = 0;
    let most = 0;
    let runs = 0;
    jobs.every('slow', 5, async () => {
      running += 1;
      runs += 1;
      most = Math.max(most, running);
      await sleep(20);
      running -= 1;
    });
    await eventually(() => runs > 2);
    await jobs.stop();
    expect(most).toBe(1);
  });

  test('that fails is logged and retried', async () => {
    const jobs = startedJobs();
    let runs = 0;
    jobs.every('failing', 5, async () => {
      runs += 1;
      if (runs === 1) throw new Error('not this time');
    });
    await eventually(() => runs > 1);
    await jobs.stop();
    expect(lines.filter((line) => line.includes('not this time'))).toHaveLength(1);
  });

  test('is awaited by a stop, and no job starts afterwards', async () => {
    const jobs = startedJobs();
    const finished: string[] = [];
    let begun = 0;
    jobs.every('long', 1, async () => {
      begun += 1;
      await sleep(50);
      finished.push('long');
    });
    await eventually(() => begun > 0);
    await jobs.stop();
    expect(finished).toEqual(['long']);
    await sleep(30);
    expect(begun).toBe(1);
  });

  test('runs at once on request, and propagates its failure', async () => {
    const jobs = startedJobs();
    let runs = 0;
    jobs.every('seldom', 3_600_000, async () => {
      runs += 1;
      if (runs > 1) throw new Error('away');
    });
    await jobs.run('seldom');
    await expect(jobs.run('seldom')).rejects.toThrow('away');
    await expect(jobs.run('never')).rejects.toThrow('there is no job "never", only seldom');
    await jobs.stop();
  });
});
