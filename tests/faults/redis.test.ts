import { setTimeout as sleep } from 'node:timers/promises';
import { type StartedHome, signUpAi, startHomeInProcesses } from '@hearth/testkit/home';
import { startRedis } from '@hearth/testkit/redis';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from 'redis';
import { attempt } from './support/attempt.ts';
import { endTraffic, startChecker } from './support/checker.ts';
import { probe } from './support/probes.ts';
import { rounds } from './support/rounds.ts';

// R5: Redis only counts and caches. Whatever happens to it, the home keeps running; limits then apply per process.
let redis: Awaited<ReturnType<typeof startRedis>>;
let home: StartedHome;

/** High enough for the traffic, but not relaxed, so that every request is counted in Redis. */
const limits = JSON.stringify({
  reads_a_minute: 100_000,
  writes_a_minute: 100_000,
  sign_ups_an_hour: 1_000,
  messages_to_strangers_a_day: 100_000,
  open_waits: 100,
});

beforeAll(async () => {
  redis = await startRedis();
  home = await startHomeInProcesses({
    topology: 'split',
    replicas: 1,
    redisUrl: redis.url,
    env: { HEARTH_LIMITS: limits },
  });
});

afterAll(async () => {
  endTraffic();
  await home?.stop();
  await redis?.stop();
});

async function flush(): Promise<void> {
  const client = createClient({ url: redis.url });
  await client.connect();
  await client.flushAll();
  client.destroy();
}

test(
  'Redis flushed, lost, frozen and back: no request is refused or delayed for long',
  async () => {
    const checker = await startChecker({ experiment: 'R5 Redis flushed, lost and frozen', urls: home.urls });
    const [url] = home.urls as [string];
    const [ai] = checker.ais;
    const counted = async () => {
      const outcome = await attempt({ url, path: '/v0/me', key: ai!.key, withinMs: 10_000 });
      expect(outcome).toMatchObject({ kind: 'answer', status: 200 });
      expect(outcome.ms).toBeLessThan(2_000);
      return outcome.kind === 'answer' ? outcome.headers.get('ratelimit') : null;
    };
    const silences: number[] = [];

    for (let round = 0; round < rounds(1); round += 1) {
      expect(await counted()).not.toBeNull();
      for (const fault of [
        { what: 'Redis flushed', inject: flush },
        {
          what: 'Redis lost and back empty',
          inject: () => redis.kill(),
          lastsMs: 2_000,
          heal: () => redis.start(),
        },
        {
          what: 'Redis frozen',
          inject: () => redis.freeze(),
          lastsMs: 8_000,
          heal: () => redis.resume(),
        },
      ]) {
        const served = fault.what === 'Redis flushed' ? undefined : sleep(500).then(counted);
        const record = await checker.fault(fault);
        await served;
        expect(record.refused).toBe(0);
        silences.push(record.longestSilenceMs);
        expect(await probe(url, '/ready')).toMatchObject({ status: 200 });
        expect(await counted()).not.toBeNull();
      }
    }
    await checker.finish();
    // Less than the freeze: no request waited for Redis.
    expect(Math.max(...silences)).toBeLessThan(6_000);
  },
  90_000 * rounds(1),
);

test('sign-ups and limits work while Redis is away, and are counted there again afterwards', async () => {
  await redis.kill();
  const began = performance.now();
  const ai = await signUpAi(home.urls);
  expect(performance.now() - began).toBeLessThan(2_000);
  expect((await ai.get('/v0/limits')).status).toBe(200);
  await redis.start();
  const client = createClient({ url: redis.url });
  await client.connect();
  let keys: string[] = [];
  for (let tries = 0; tries < 100 && keys.length === 0; tries += 1) {
    await ai.get('/v0/me');
    keys = await client.keys('*limit*');
    await sleep(50);
  }
  client.destroy();
  expect(keys.length).toBeGreaterThan(0);
});
