import { manualClock, systemClock } from '@hearth/clock';
import { fragment } from '@hearth/db';
import { createLogger } from '@hearth/telemetry';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createDueTimer, type DueTimer, type DueTimerOptions, type NextDue } from './due-timer.ts';

const lines: string[] = [];
const log = createLogger({ level: 'warn', service: 'test', stream: { write: (line) => lines.push(line) } });
const running: DueTimer[] = [];

beforeEach(() => {
  jest.useFakeTimers();
  lines.length = 0;
});

afterEach(async () => {
  const stopped = Promise.all(running.splice(0).map((timer) => timer.stop()));
  // For work in hand.
  await pass(5_000);
  await stopped;
  jest.useRealTimers();
});

const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
const minute = 60_000;

/** A table of due rows that processes share: when each is due, when it was done, and by which process. */
function createTable() {
  const rows: { at: number }[] = [];
  const done: { at: number; lateMs: number; by: string }[] = [];
  const earliest = () => rows.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return {
    rows,
    done,
    next: () => (rows.length === 0 ? null : earliest()),
    take(by: string, now: number) {
      for (const row of rows.filter(({ at }) => at <= now)) {
        rows.splice(rows.indexOf(row), 1);
        done.push({ at: row.at, lateMs: now - row.at, by });
      }
    },
  };
}

type Options = Partial<DueTimerOptions> & { paceMs?: number; works?: number; next?: NextDue };

/** A process that does the due work of the table. */
function startProcess(table: ReturnType<typeof createTable>, by = 'one', options: Options = {}) {
  const { clock = systemClock, paceMs = 1_000, works = 1, next = {}, ...rest } = options;
  const seen = { asks: 0, runs: 0, told: [] as [string, number][] };
  const timer = createDueTimer({
    clock,
    log,
    tell: (name, at) => void seen.told.push([name, at]),
    async ask(asked) {
      seen.asks += 1;
      return asked.map(() => table.next());
    },
    ...rest,
  });
  for (let index = 0; index < works; index += 1)
    timer.add({
      ...{ name: `work ${index}`, paceMs, next: { sql: fragment`select`, ...next } },
      async run() {
        seen.runs += 1;
        table.take(by, clock.now());
      },
    });
  timer.start();
  running.push(timer);
  return { ...timer, seen };
}

test('forty jobs of an idle process query six times a minute, in one statement each, and none runs', async () => {
  const { seen } = startProcess(createTable(), 'one', { works: 40 });
  await pass(minute);
  expect(seen.asks).toBeLessThanOrEqual(7);
  expect(seen.runs).toBe(0);
});

test('an idle process wakes only for its checks', async () => {
  let wakes = 0;
  const steadyMs = () => {
    wakes += 1;
    return performance.now();
  };
  startProcess(createTable(), 'one', { next: { known: () => undefined }, steadyMs });
  await pass(minute);
  const inFirst = wakes;
  await pass(minute);
  // A check reads the clock some ten times; a wake each second would add a hundred.
  expect(wakes - inFirst).toBeLessThan(100);
});

test('a new row runs on time, even if it is due before the known ones', async () => {
  const table = createTable();
  const { seen, written } = startProcess(table);
  table.rows.push({ at: Date.now() + 5 * minute });
  written();
  await pass(1_300);
  for (const inMs of [100, 700, 3_210, 65_000]) table.rows.push({ at: Date.now() + inMs });
  written();
  await pass(6 * minute);
  expect(table.done.map(({ lateMs }) => Math.floor(lateMs / 1_001))).toEqual([0, 0, 0, 0, 0]);
  expect(seen.runs).toBeLessThanOrEqual(6);
});

test('frequent writes query twice a second', async () => {
  const { seen, written } = startProcess(createTable());
  for (let write = 0; write < 1_000; write += 1) {
    written();
    await pass(10);
  }
  expect(seen.asks).toBeGreaterThan(15);
  expect(seen.asks).toBeLessThanOrEqual(22);
});

test('another process runs the rows of a dead process on time', async () => {
  const table = createTable();
  const other = startProcess(table, 'other');
  await pass(500);
  const killed = startProcess(table, 'killed', { tell: (name, at) => other.heard(name, at) });
  await pass(1_000);
  table.rows.push({ at: Date.now() + 2_000 });
  killed.written();
  await pass(50);
  await killed.stop();
  await pass(4_000);
  expect(table.done).toMatchObject([{ by: 'other' }]);
  expect(table.done[0]!.lateMs).toBeLessThan(1_000);
});

test('a signal during a query is kept, whatever the older result says', async () => {
  const table = createTable();
  const { heard } = startProcess(table, 'one', {
    async ask(works) {
      const answers = works.map(() => table.next());
      await new Promise((answered) => setTimeout(answered, 200));
      return answers;
    },
  });
  await pass(100);
  const at = Date.now() + 1_000;
  table.rows.push({ at });
  heard('work 0', at);
  await pass(3_000);
  expect(table.done.map(({ lateMs }) => lateMs < 1_000)).toEqual([true]);
});

test('a lost signal costs 20 seconds', async () => {
  const table = createTable();
  startProcess(table);
  await pass(22_345);
  table.rows.push({ at: Date.now() });
  await pass(20_100);
  expect(table.done).toHaveLength(1);
});

test('each job runs once among processes that know its time', async () => {
  const table = createTable();
  const processes = ['a', 'b', 'c', 'd'].map((name) => startProcess(table, name));
  table.rows.push({ at: Date.now() + 15_000 });
  await pass(minute);
  expect(table.done).toHaveLength(1);
  expect(processes.map(({ seen }) => seen.runs <= 1)).toEqual([true, true, true, true]);
});

test('a clock set forward takes effect within a second, and one set back waits for its time', async () => {
  const table = createTable();
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  startProcess(table, 'one', { clock });
  table.rows.push({ at: clock.now() + 10 * minute });
  await pass(11_000);
  clock.advance(-5 * minute);
  await pass(2 * minute);
  expect(table.done).toEqual([]);
  clock.advance(15 * minute);
  await pass(1_000);
  expect(table.done).toMatchObject([{ lateMs: 0 }]);
});

test('times by the clock of Postgres are counted from the answer', async () => {
  const table = createTable();
  const clock = manualClock('2020-01-01T00:00:00.000Z');
  const began = performance.now();
  const due = began + 3_000;
  const { seen } = startProcess(table, 'one', {
    clock,
    next: { by: 'database' },
    ask: async () => [due - performance.now()],
    paceMs: minute,
  });
  await pass(2_900);
  expect(seen.runs).toBe(0);
  await pass(200);
  expect(seen.runs).toBe(1);
});

test('a locally known time needs no statement', async () => {
  const clock = manualClock('2026-03-01T12:00:00.000Z');
  let at: number | undefined = clock.now() + 2_000;
  const { seen } = startProcess(createTable(), 'one', { clock, next: { known: () => at } });
  await pass(1_100);
  expect(seen.runs).toBe(0);
  clock.advance(2_000);
  await pass(1_000);
  at = undefined;
  await pass(10_000);
  expect(seen.runs).toBe(1);
});

test('overdue work is retried at its pace, and never concurrently', async () => {
  let [inHand, most] = [0, 0];
  const timer = createDueTimer({ clock: systemClock, log, tell: () => {}, ask: async () => [0] });
  let runs = 0;
  timer.add({
    ...{ name: 'stuck', paceMs: 2_000, next: { sql: fragment`select` } },
    async run() {
      runs += 1;
      inHand += 1;
      most = Math.max(most, inHand);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      inHand -= 1;
    },
  });
  timer.start();
  running.push(timer);
  await pass(51_000);
  expect(runs).toBeGreaterThanOrEqual(10);
  expect(runs).toBeLessThanOrEqual(11);
  expect(most).toBe(1);
});

test('work marked atStart runs at the start, and again after the clock was set back', async () => {
  const { seen, again } = startProcess(createTable(), 'one', { next: { atStart: true } });
  await pass(5_000);
  expect(seen.runs).toBe(1);
  again();
  await pass(5_000);
  expect(seen.runs).toBe(2);
});

test('a failing query does not stop work from running at its pace', async () => {
  const { seen } = startProcess(createTable(), 'one', {
    ask: async () => {
      throw new Error('no answer');
    },
  });
  await pass(2_000);
  expect(seen.runs).toBe(0);
  await pass(10_000);
  expect(seen.runs).toBeGreaterThan(5);
  expect(lines.filter((line) => line.includes('could not say what is due'))).toHaveLength(1);
});
