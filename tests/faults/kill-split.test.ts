import { setTimeout as sleep } from 'node:timers/promises';
import { createHomeDatabase, type StartedHome, signUpAi, startHomeInProcesses } from '@hearth/testkit/home';
import type { TestDatabase } from '@hearth/testkit/postgres';
import { sampled } from '@hearth/testkit/sample';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Attempt, attempt, type Outcome } from './support/attempt.ts';
import { bringBack } from './support/bring-back.ts';
import { endTraffic, startChecker } from './support/checker.ts';
import { type Left, publishedWithinMs, publishLeft } from './support/event-log.ts';
import { keepConnections } from './support/kept-connections.ts';
import { probe, readyAgain } from './support/probes.ts';
import { rounds } from './support/rounds.ts';

// R1 with two processes per service: dead processes come back by themselves, and nothing else needs a restart.
const all = ['delivery', 'federation', 'identity', 'groups', 'approvals', 'decisions', 'messages', 'gateway'];
const services = sampled(['delivery', 'messages', 'gateway'], all);
let database: TestDatabase;
let home: StartedHome;

beforeAll(async () => {
  database = await createHomeDatabase();
  home = await startHomeInProcesses({
    topology: 'split',
    databaseUrl: database.url,
    env: { HEARTH_LIMITS: 'relaxed', HEARTH_DRAIN_SECONDS: '2' },
  });
}, 240_000);

afterAll(async () => {
  endTraffic();
  await home?.stop();
  await database?.drop();
}, 180_000);

test(
  `kill -9 of one and of both processes of ${services.join(', ')}, and SIGTERM, lose nothing`,
  async () => {
    const checker = await startChecker({
      experiment: 'R1 kill -9 and SIGTERM of each service',
      urls: home.urls,
    });
    const pids = new Map(home.processes.map((each) => [each, each.pid()]));
    const drains: Record<string, number> = {};
    const left: Record<string, Left> = {};

    for (let round = 0; round < rounds(1); round += 1) {
      for (const service of services) {
        const [first, second] = home.of(service);
        await sleep(Math.random() * 300);
        await checker.fault({
          what: `kill -9 of one ${service}, then of both`,
          async inject() {
            await first!.kill();
            // The other process continues on its own for a while.
            await sleep(500);
            await second!.kill();
          },
          lastsMs: 300,
          async heal() {
            await bringBack(first!, second!);
            left[service] = await publishLeft(database.url);
          },
        });
        await checker.fault({
          what: `SIGTERM of one ${service}`,
          async inject() {
            const began = performance.now();
            expect(await second!.terminate()).toBe(0);
            drains[service] = Math.round(performance.now() - began);
          },
          heal: () => bringBack(second!),
        });
        for (const each of [first!, second!]) pids.set(each, each.pid());
      }
    }
    // The process is neither dead nor alive: callers get no answer until the deadline.
    for (const service of ['messages', 'delivery', 'gateway']) {
      const pid = home.of(service)[0]!.pid();
      await checker.fault({
        what: `one ${service} frozen`,
        inject: () => process.kill(pid, 'SIGSTOP'),
        lastsMs: 2_000,
        heal: () => process.kill(pid, 'SIGCONT'),
      });
    }
    await home.ready();
    const verdict = await checker.finish({ databaseUrl: database.url, found: { drains, left } });
    expect(verdict.acknowledged).toBeGreaterThan(100);
    for (const [each, pid] of pids) expect([each.running(), each.pid()]).toEqual([true, pid]);
    for (const service of services) {
      expect(drains[service]).toBeLessThan(5_000);
      expect(left[service]!.publishedAfterMs).toBeLessThan(publishedWithinMs);
    }
  },
  300_000 * rounds(1),
);

test('connections open during SIGTERM of each gateway in turn are closed gracefully, never reset', async () => {
  const [first, second] = home.of('gateway');
  const [atFirst, atSecond] = home.urls as [string, string];
  const kept = keepConnections(atFirst, 60);
  try {
    for (const [gateway, url, other] of [
      [first!, atFirst, atSecond],
      [second!, atSecond, atFirst],
    ] as const) {
      await sleep(500);
      kept.leadTo(other);
      const exit = gateway.terminate();
      await sleep(500);
      // A proxy that has not noticed yet opens a new connection.
      expect(await probe(url, '/health')).toMatchObject({ status: 503, body: { status: 'stopping' } });
      expect(await probe(url, '/ready')).toMatchObject({ status: 503 });
      const limits = await attempt({ url, path: '/v0/limits', withinMs: 5_000 });
      expect(limits).toMatchObject({ kind: 'answer', status: 200 });
      expect(await exit).toBe(0);
      await bringBack(gateway);
      await readyAgain(url);
    }
  } finally {
    await kept.stop();
  }
  expect(kept.errors).toEqual([]);
  expect(kept.answers()).toBeGreaterThan(500);
});

test('a machine that vanishes costs the gateways at most five seconds', async () => {
  const [robin, wren] = [await signUpAi(home.urls), await signUpAi(home.urls)];
  await robin!.post('/v0/messages', { to: wren!.address, text: 'before' });
  const lost = ['identity', 'groups', 'approvals', 'messages', 'delivery'].map((name) => home.of(name)[0]!);
  const began = performance.now();
  const asked: { what: string; at: number; outcome: Promise<Outcome> }[] = [];
  const ask = (what: string, request: Omit<Attempt, 'url' | 'withinMs'>) =>
    asked.push({
      what,
      at: performance.now() - began,
      outcome: attempt({ url: home.urls[asked.length % 2]!, withinMs: 15_000, ...request }),
    });
  for (const each of lost) process.kill(each.pid(), 'SIGSTOP');
  try {
    for (let turn = 0; performance.now() - began < 9_000; turn += 1) {
      ask('read', { path: '/v0/messages?limit=1', key: wren!.key });
      if (turn % 4 === 0) {
        const body = { to: wren!.address, text: `${turn}` };
        ask('send', { method: 'POST', path: '/v0/messages', key: robin!.key, body });
      }
      await sleep(100);
    }
    const late: unknown[] = [];
    for (const { what, at, outcome } of asked) {
      const seen = await outcome;
      const status = seen.kind === 'answer' ? seen.status : 599;
      // A send is not hedged: until the connections end, it may wait for its deadline.
      const mayFail = what === 'send' && at < 5_000;
      if ((status >= 300 && !mayFail) || seen.ms > (at < 5_000 ? 8_000 : 2_500))
        late.push({ what, at, status, ms: seen.ms });
    }
    expect(late).toEqual([]);
  } finally {
    for (const each of lost) process.kill(each.pid(), 'SIGCONT');
  }
  await home.ready();
});

test('SIGTERM of a gateway answers its held requests within its grace period', async () => {
  const { ais, traffic } = await startChecker({
    experiment: 'held',
    urls: home.urls,
    ais: 3,
    waitSeconds: 1,
  });
  await traffic.quiet(30_000);
  await traffic.drain(20_000);
  const [first] = home.of('gateway');
  const url = home.urls[0]!;
  const last = (await ais[0]!.get('/v0/messages?limit=1')).body.messages[0].id;
  const held = attempt({
    url,
    path: `/v0/messages?unread=true&wait=30&since=${last}`,
    key: ais[0]!.key,
    withinMs: 30_000,
  });
  await sleep(300);
  const exit = first!.terminate();
  expect(await held).toMatchObject({ kind: 'answer', status: 200, body: { messages: [] } });
  expect((await held).ms).toBeLessThan(4_000);
  expect(await exit).toBe(0);
  await bringBack(first!);
}, 180_000);
