import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import type { Line } from '@hearth/testkit/tcp-proxy';
import { whole } from '@hearth/testkit/tcp-proxy';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CrossTraffic, type EndHome, startCrossTraffic, startEnds } from './support/between-homes.ts';
import { writeReport } from './support/report.ts';

// Two homes and a bad line between them. A manual run (FAULTS_LONG=1) keeps each bad line for a minute, kills either
// home at each step of an item, cuts the line for ten minutes, and restores homes from backups. FAULTS_ONLY=<words>
// runs only the steps with that name.
const long = process.env['FAULTS_LONG'] === '1';
const withinMs = long ? 180_000 : 90_000;

let ends: [EndHome, EndHome];
let here: EndHome;
let there: EndHome;
let traffic: CrossTraffic;

beforeAll(async () => {
  ends = await startEnds();
  [here, there] = ends;
  traffic = await startCrossTraffic(ends, `ends-${process.pid}`);
  // They have met: a home that never worked is not retried soon.
  await sleep(1_000);
  await traffic.pause();
  await traffic.arrived(60_000);
  traffic.go();
}, 250_000);
afterAll(async () => {
  traffic?.end();
  await Promise.all((ends ?? []).map((end) => end.stop()));
});

const setBoth = (line: Partial<Line>) => {
  for (const end of ends) end.line.set(line);
};

interface Step {
  what: string;
  /** For steps whose items arrive later: after ten minutes, the next try may be minutes away. */
  withinMs?: number;
  onlyLong?: true;
  run(): Promise<unknown>;
}

/** Keeps a bad line for that long, under traffic. */
const badLine = (what: string, line: Partial<Line>, seconds: { short: number; long: number }): Step => ({
  what,
  async run() {
    setBoth(line);
    await sleep((long ? seconds.long : seconds.short) * 1_000);
    setBoth(whole);
  },
});

const position = async () =>
  Number(
    (
      await there.sql<{ at: string }>(
        'select coalesce(max(in_epoch * 1000000 + in_seq), 0) as at from federation.logs',
      )
    )[0]!.at,
  );
const open = async () =>
  Number(
    (
      await here.sql<{ count: string }>('select sum(last_seq - settled_seq) as count from federation.logs')
    )[0]!.count,
  );
const more = (read: () => Promise<number>, than: number) =>
  eventually(read, (now) => now > than, { everyMs: 20 });

/** The other home takes pushes, but their answers are lost. */
async function unanswered(then: () => Promise<unknown>): Promise<void> {
  there.line.set({ cut: 'answers' });
  await more(position, await position());
  await then();
  there.line.breakAll();
  setBoth(whole);
}

const minutesApart = 10;

/** A home's clock is wrong for a while: both homes' requests are refused, and succeed once it is right again. */
const wrongClock = (side: number, minutes: number): Step => ({
  what: `clocks ${minutesApart} minutes apart (the ${side === 0 ? 'one' : 'other'} is ${minutes > 0 ? 'ahead' : 'behind'})`,
  ...(side === 0 || minutes < 0 ? { onlyLong: true } : {}),
  async run() {
    await ends[side]!.shiftClock(minutes * 60_000);
    await sleep(long ? 60_000 : 2_500);
    await ends[side]!.shiftClock(0);
  },
});

const logsNow = `
  select l.home, l.epoch, l.last_seq, l.settled_seq, l.attempts, l.due_at, l.hold_until, l.last_error, l.in_epoch, l.in_seq,
    l.renew_at, d.due_at as engine_due, d.lease, d.leased_until, d.failing_since, now(),
    (select count(*) from federation.received_items r where r.item is not null) as undecided,
    (select count(*) from federation.outbox where published_in is null) as unpublished,
    (select count(*) from messages.outbox where published_in is null) as unpublished_messages,
    (select failure from federation.homes h where h.home = l.home)
  from federation.logs l left join federation.destinations d on d.id = l.destination`;

/** Backdates the logs by two hours: a log restarts once an hour at most. */
const asIfOlder = `
  with logs as (update federation.logs set epoch = epoch - 7200, in_epoch = in_epoch - 7200 where in_epoch > 0)
  update federation.sent_items set epoch = epoch - 7200`;

const only = process.env['FAULTS_ONLY'];
const steps: Step[] = [
  badLine('30 % of the packets reset their connection', { reset: 0.3 }, { short: 3, long: 60 }),
  badLine('500 ms each way', { delayMs: 500 }, { short: 3, long: 60 }),
  badLine('1 byte a second', { bytesPerSecond: 1 }, { short: 2, long: 60 }),
  badLine('requests do not arrive', { cut: 'requests' }, { short: 2, long: 60 }),
  badLine('cut', { cut: 'both' }, { short: 3, long: 60 }),
  {
    what: 'requests arrive, and their answers are lost',
    async run() {
      setBoth({ cut: 'answers' });
      await sleep(long ? 60_000 : 1_500);
      for (const { line } of ends) line.breakAll();
      setBoth(whole);
    },
  },
  {
    what: 'the Redis of a home is flushed',
    async run() {
      await there.servers!.flushRedis();
      await sleep(500);
    },
  },
  {
    // Events that overtook others are redelivered after half a minute.
    what: 'the NATS of a home is wiped',
    onlyLong: true,
    async run() {
      await there.servers!.wipeNats();
      await sleep(1_000);
    },
  },
  wrongClock(1, minutesApart),
  wrongClock(0, minutesApart),
  wrongClock(1, -minutesApart),
  {
    ...badLine('cut for ten minutes', { cut: 'both' }, { short: 600, long: 600 }),
    ...{ onlyLong: true, withinMs: 900_000 },
  },
  {
    what: 'the sender is killed after the commit, before its item is numbered',
    onlyLong: true,
    async run() {
      await here.killWriting('federation.sent_items', () => Promise.resolve());
      await here.restart();
    },
  },
  {
    what: 'the sender is killed after its item was numbered, before it is sent',
    onlyLong: true,
    async run() {
      setBoth({ cut: 'both' });
      await more(open, await open());
      await here.kill();
      setBoth(whole);
      await here.restart();
    },
  },
  {
    what: 'the sender is killed after its push was taken, before the answer',
    onlyLong: true,
    async run() {
      await unanswered(() => here.kill());
      await here.restart();
    },
  },
  {
    what: 'the receiver is killed after it took a push, before the answer',
    onlyLong: true,
    async run() {
      await unanswered(() => there.kill());
      await there.restart();
    },
  },
  {
    what: 'the receiver is killed after its services took the items, before the log has them',
    onlyLong: true,
    async run() {
      await there.killWriting('federation.received_items', () => Promise.resolve());
      await there.restart();
    },
  },
  ...[0, 1].map((side) => ({
    what: `a home is restored from a backup (${side === 0 ? 'the one' : 'the other'})`,
    onlyLong: true as const,
    async run() {
      const end = ends[side]!;
      await traffic.pause();
      await traffic.arrived(withinMs);
      for (const { sql } of ends) await sql(asIfOlder);
      await end.keep();
      // Only items from other homes may arrive again: its own people's later sends are with their recipients.
      traffic.go();
      await sleep(5_000);
      await traffic.pause();
      await traffic.arrived(withinMs);
      await end.restore();
      traffic.go();
    },
  })),
];

test(
  'a faulty line between two homes: nothing is lost, duplicated, reordered or forged',
  async () => {
    const done: object[] = [];
    for (const { what, onlyLong, withinMs: mostMs = withinMs, run } of steps) {
      if (only === undefined ? onlyLong && !long : !what.includes(only)) continue;
      const began = performance.now();
      await run().catch((error: Error) => {
        error.message = `${what}: ${error.message}`;
        throw error;
      });
      const lasted = Math.round(performance.now() - began);
      await sleep(500);
      await traffic.pause();
      // Everything acknowledged so far arrives.
      const arrivedMs = await traffic.arrived(mostMs).catch(async (error: Error) => {
        const { lost } = await traffic.verdict();
        const logs = await Promise.all(ends.map((end) => end.sql(logsNow)));
        const found = { lost: lost.length, first: lost[0], logs };
        throw new Error(`${what}: ${JSON.stringify(found)}: ${error.message.slice(0, 200)}`);
      });
      done.push({ what, lastedMs: lasted, arrivedMs });
      traffic.go();
    }
    await traffic.pause();
    await traffic.arrived(withinMs);
    const verdict = await traffic.verdict();
    const connections = ends.map(({ line }) => line.count);
    writeReport('between homes', { long, ...verdict, connections, faults: done });
    expect(verdict).toMatchObject({ lost: [], duplicates: [], orderViolations: [], unexpected: [] });
    expect(verdict.acknowledged).toBeGreaterThan(50);
  },
  long ? 5_400_000 : 300_000,
);
