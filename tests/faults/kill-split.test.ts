import { setTimeout as sleep } from 'node:timers/promises';
import { type StartedHome, startHomeInProcesses } from '@hearth/testkit/home';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attempt } from './support/attempt.ts';
import { bringBack } from './support/bring-back.ts';
import { endTraffic, startChecker } from './support/checker.ts';
import { type Left, publishedWithinMs, publishLeft } from './support/event-log.ts';
import { rounds } from './support/rounds.ts';

// R1 with every service as two processes: what dies comes back by itself, and nothing else needs a restart.
// Delivery first: NATS gives what a killed process held to another one only when its time for it (30 s) is over.
const services = ['delivery', 'federation', 'identity', 'groups', 'approvals', 'messages', 'gateway'];
let database: TestDatabase;
let home: StartedHome;

beforeAll(async () => {
  database = await createTestDatabase();
  home = await startHomeInProcesses({
    topology: 'split',
    databaseUrl: database.url,
    env: { HEARTH_LIMITS: 'relaxed' },
  });
}, 240_000);

afterAll(async () => {
  endTraffic();
  await home?.stop();
  await database?.drop();
}, 180_000);

test(
  'kill -9 of one and of both processes of each service, and SIGTERM, lose nothing',
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
            // The other one goes on alone for a while.
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
    // The process is neither dead nor alive: a caller gets no answer until the deadline passes.
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

test('SIGTERM of a gateway answers what it holds at once', async () => {
  const { ais } = await startChecker({ experiment: 'held', urls: home.urls, ais: 3, waitSeconds: 1 });
  endTraffic();
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
  expect((await held).ms).toBeLessThan(2_000);
  expect(await exit).toBe(0);
  await bringBack(first!);
}, 180_000);
