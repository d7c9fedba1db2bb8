import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMemoryCache } from '@hearth/cache';
import { createRedisCache } from '@hearth/cache/redis';
import { systemClock } from '@hearth/clock';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import { startRedis } from '@hearth/testkit/redis';
import { describe, expect, jest, test } from '@jest/globals';
import { BoundedMemory, BoundedRedis } from './bounded-counters.ts';
import { callerKindOf, createLimiter, readLimits } from './index.ts';
import { createCountingClient } from './redis-counters.ts';

const options = { keyPrefix: 'test', points: 2, duration: 60, maxKeys: 3 };

const settled = async (attempts: Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).map(({ status }) => status === 'fulfilled');

describe('counters in memory', () => {
  test('never exceed their bound, and keep the most recently used keys', async () => {
    const memory = new BoundedMemory(options);
    for (const key of ['ada', 'bob', 'cy', 'ada', 'dan']) await memory.consume(key);
    expect(
      memory
        .dump()
        .storage.map(({ key }) => key)
        .sort(),
    ).toEqual(['ada', 'cy', 'dan']);
    expect((await memory.get('ada'))?.consumedPoints).toBe(2);
    expect(await memory.get('bob')).toBeNull();
    for (let key = 0; key < 1_000; key += 1) await memory.consume(`network-${key}`);
    expect(memory.dump().storage).toHaveLength(3);
  });

  test('use constant memory however often the same keys are counted', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const memory = new BoundedMemory({ ...options, points: 1_000_000 });
    const used = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const count = async () => {
      for (let times = 0; times < 40_000; times += 1) await memory.consume(`ada-${times % 3}`);
    };
    await count();
    const before = used();
    await count();
    expect(used() - before).toBeLessThan(1_000_000);
  });

  test('refuse a retained key as before', async () => {
    const memory = new BoundedMemory(options);
    expect(await settled(['ada', 'ada', 'ada', 'bob'].map((key) => memory.consume(key)))).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});

test('evicted refusals of Redis counters are refused again by Redis', async () => {
  const server = await startRedis();
  const log = { info: () => {}, warn: () => {} };
  const cache = await createRedisCache({ url: server.url, prefix: 'bounded:', log });
  try {
    const client = createCountingClient(cache.redis!);
    let asked = 0;
    const counted = new Proxy(client, {
      get(target, name, receiver) {
        if (name === 'eval') asked += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    const redis = new BoundedRedis({
      ...options,
      storeClient: counted,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
    });
    const refusedFromMemory = async (key: string) => {
      const before = asked;
      await expect(redis.consume(key)).rejects.toMatchObject({ remainingPoints: 0 });
      return asked === before;
    };
    for (const key of ['ada', 'bob', 'cy']) await settled([redis.consume(key), redis.consume(key)]);
    expect(await refusedFromMemory('ada')).toBe(true);
    await settled([redis.consume('dan'), redis.consume('dan')]);
    expect(await refusedFromMemory('ada')).toBe(false);
    expect(await refusedFromMemory('ada')).toBe(true);
  } finally {
    await cache.close();
    await server.stop();
  }
});

describe('a clock that is set back', () => {
  const day = 86_400_000;

  test('restarts the windows in Redis and lifts refusals held in memory', async () => {
    const server = await startRedis();
    const log = { info: () => {}, warn: () => {} };
    const cache = await createRedisCache({ url: server.url, prefix: 'back:', log });
    const date = jest.spyOn(Date, 'now');
    try {
      const redis = new BoundedRedis({
        ...options,
        storeClient: createCountingClient(cache.redis!),
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
      });
      await settled(['ada', 'ada', 'ada'].map((key) => redis.consume(key)));
      expect(await settled([redis.consume('ada')])).toEqual([false]);
      // The clock is set back for both the server and this process.
      await cache.redis!.run((client) => client.pExpire('test:ada', 2 * day));
      const now = Date.now();
      date.mockImplementation(() => now - 2 * day);
      expect(await redis.get('ada')).toBeNull();
      const counted = await redis.consume('ada');
      expect([counted.consumedPoints, counted.remainingPoints]).toEqual([1, 1]);
      expect(counted.msBeforeNext).toBeLessThanOrEqual(60_000);
    } finally {
      date.mockRestore();
      await cache.close();
      await server.stop();
    }
  });

  test('names no reset beyond the window', async () => {
    const date = jest.spyOn(Date, 'now');
    try {
      const limits = readLimits({ reads_a_minute: 1 }, { homeName: 'home.example' });
      const cache = createMemoryCache({ clock: systemClock, maxEntries: 10 });
      const limiter = createLimiter({ limits, cache, clock: systemClock, prefix: '' });
      await limiter.consume('reads_a_minute', 'ada', 'claimed');
      const earlier = Date.now() - 2 * day;
      date.mockImplementation(() => earlier);
      const { resetsAt } = (await limiter.peek('reads_a_minute', 'ada', 'claimed'))!;
      expect(resetsAt).toBe(earlier + 60_000);
    } finally {
      date.mockRestore();
    }
  });
});

test('the operator is not counted', async () => {
  const cache = createMemoryCache({ clock: systemClock, maxEntries: 10 });
  const limits = readLimits({ reads_a_minute: 0 }, { homeName: 'home.example' });
  const limiter = createLimiter({ limits, cache, clock: systemClock, prefix: '' });
  const operator = callerKindOf({ kind: CallerKind.OPERATOR, aiStatus: AiStatus.UNSPECIFIED, app: '' });
  expect(await limiter.consume('reads_a_minute', 'operator', operator)).toBeNull();
  expect(await limiter.peek('reads_a_minute', 'operator', operator)).toBeNull();
});
