import { setTimeout as delay } from 'node:timers/promises';
import { type Cache, createMemoryCache } from '@hearth/cache';
import { createRedisCache } from '@hearth/cache/redis';
import { systemClock } from '@hearth/clock';
import { eventually } from '@hearth/testkit';
import { startRedis } from '@hearth/testkit/redis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClient } from 'redis';
import { callerKinds, createLimiter, type Limiter, type Limits, readLimits } from './index.ts';

const everyone = (value: number | null) =>
  Object.fromEntries(callerKinds.map((kind) => [kind, value])) as Limits['reads_a_minute']['values'];

const day = 86_400;

/** The usual limits with windows of a day, which no test outlives, and one short enough to wait for. */
function limitsForTests(): Limits {
  const limits = readLimits(
    { writes_a_minute: { unclaimed: 3, app: null, vouched: 0 } },
    { homeName: 'home.example' },
  );
  return {
    ...limits,
    reads_a_minute: { ...limits.reads_a_minute, windowSeconds: day },
    writes_a_minute: { ...limits.writes_a_minute, windowSeconds: day },
    sign_ups_an_hour: { ...limits.sign_ups_an_hour, values: everyone(2), windowSeconds: 1 },
  };
}

const log = { info: () => {}, warn: () => {} };
let server: Awaited<ReturnType<typeof startRedis>>;
let caches: Cache[] = [];
let homes = 0;

beforeAll(async () => {
  server = await startRedis();
});
beforeEach(() => {
  homes += 1;
});
afterEach(async () => {
  await Promise.all(caches.map((cache) => cache.close()));
  caches = [];
});
afterAll(() => server.stop());

async function overMemory(): Promise<Limiter> {
  const cache = createMemoryCache({ clock: systemClock, maxEntries: 10 });
  caches.push(cache);
  return createLimiter({ limits: limitsForTests(), cache, clock: systemClock, prefix: `home-${homes}:` });
}

/**
 * @param deadline of a Redis command in milliseconds; by default longer than Redis ever takes, so that
 * everything is counted there
 */
async function overRedis(prefix = `home-${homes}:`, deadline = 30_000): Promise<Limiter> {
  const cache = await createRedisCache({ url: server.url, prefix, log, deadline });
  caches.push(cache);
  await eventually(() => cache.health().ok);
  return createLimiter({ limits: limitsForTests(), cache, clock: systemClock, prefix });
}

async function used(limiter: Limiter, times: number, key = 'ada'): Promise<string[]> {
  const results = await Promise.allSettled(
    Array.from({ length: times }, () => limiter.consume('writes_a_minute', key, 'unclaimed')),
  );
  return results.map(({ status }) => status);
}

const countOf = (statuses: string[], status: string) => statuses.filter((each) => each === status).length;

test.each([
  ['memory', overMemory],
  ['Redis', overRedis],
])('many small networks of IPv6 are counted together, over %s', async (_, create) => {
  const limiter = await create();
  const use = (network: string) => limiter.consume('writes_a_minute', network, 'unclaimed');
  // 3 for a /56, and 24 for its /48, which has 256 of them.
  const sixteenth = (index: number) => `2001:db8:1:${(index * 256).toString(16)}::/56`;
  for (let index = 0; index < 23; index += 1) await use(sixteenth(index));
  await expect(use(sixteenth(23))).resolves.toMatchObject({ bound: 24, remaining: 0 });
  await expect(use(sixteenth(24))).rejects.toMatchObject({ kind: 'rate_limited' });
  await expect(limiter.peek('writes_a_minute', sixteenth(25), 'unclaimed')).resolves.toMatchObject({
    remaining: 0,
  });
  await expect(use('2001:db8:2:0::/56')).resolves.toMatchObject({ bound: 3, remaining: 2 });
});

test('networks of one provider, each below its own limit, are counted together', async () => {
  const limiter = await overMemory();
  const use = (household: number) =>
    limiter.consume(
      'writes_a_minute',
      `2001:db8:${(household >> 8).toString(16)}:${((household & 255) << 8).toString(16)}::/56`,
      'unclaimed',
    );
  // 3 for a /56, 24 for a /48, and 768 for the /32: three from each of 256 /48s.
  const taken = Array.from({ length: 768 }, (_, index) => use((index % 256) * 256 + Math.floor(index / 256)));
  await Promise.all(taken);
  await expect(use(300 * 256)).rejects.toMatchObject({ kind: 'rate_limited' });
  await expect(limiter.consume('writes_a_minute', '2001:db9:0:0::/56', 'unclaimed')).resolves.toMatchObject({
    remaining: 2,
  });
});

describe.each([
  ['memory', overMemory],
  ['Redis', overRedis],
])('a limiter over %s', (_name, create) => {
  test('counts down, then refuses with the name of the limit and its reset time', async () => {
    const limiter = await create();
    const before = Date.now();
    const expectReset = (resetsAt: number) => {
      // Redis returns whole milliseconds by a clock other than this one.
      expect(resetsAt).toBeGreaterThan(before + day * 1_000 - 1_000);
      expect(resetsAt).toBeLessThan(Date.now() + day * 1_000 + 1_000);
    };
    for (const remaining of [2, 1, 0]) {
      const usage = await limiter.consume('writes_a_minute', 'ada', 'unclaimed');
      expect(usage).toMatchObject({ limit: 'writes_a_minute', bound: 3, windowSeconds: day, remaining });
      expectReset(usage!.resetsAt);
    }
    for (let again = 0; again < 3; again += 1) {
      const refusal: unknown = await limiter
        .consume('writes_a_minute', 'ada', 'unclaimed')
        .catch((error: unknown) => error);
      expect(refusal).toMatchObject({
        kind: 'rate_limited',
        details: { limit: 'writes_a_minute', code: 'rate_limited' },
      });
      expectReset((refusal as { details: { resetsAt: Date } }).details.resetsAt.getTime());
    }
  });

  test('admits exactly the limit, even concurrently', async () => {
    const limiter = await create();
    expect(countOf(await used(limiter, 500), 'fulfilled')).toBe(3);
  });

  test('counts keys, limits and kinds of caller separately', async () => {
    const limiter = await create();
    await used(limiter, 4, 'ada');
    expect(await used(limiter, 1, 'ada')).toEqual(['rejected']);
    expect(await used(limiter, 1, 'bob')).toEqual(['fulfilled']);
    expect(await limiter.consume('writes_a_minute', 'ada', 'claimed')).toMatchObject({ remaining: 59 });
    expect(await limiter.consume('reads_a_minute', 'ada', 'unclaimed')).toMatchObject({ remaining: 119 });
  });

  test('starts over when the window has passed', async () => {
    const limiter = await create();
    const sign = () => limiter.consume('sign_ups_an_hour', '192.0.2.0/24', 'anyone');
    const settled = () => sign().catch((error: unknown) => ({ error }));
    // Three within one window of a second, however slow the machine is.
    const refusal = await eventually(settled, (outcome) => outcome !== null && 'error' in outcome);
    expect(refusal).toMatchObject({ error: { kind: 'rate_limited' } });
    const next = await eventually(settled, (outcome) => outcome !== null && !('error' in outcome));
    expect(next).toMatchObject({ remaining: 1 });
  });

  test('reports the remainder without consuming', async () => {
    const limiter = await create();
    const peek = () => limiter.peek('writes_a_minute', 'ada', 'unclaimed');
    expect(await peek()).toMatchObject({ limit: 'writes_a_minute', bound: 3, remaining: 3 });
    await used(limiter, 2);
    expect(await peek()).toMatchObject({ remaining: 1 });
    expect(await peek()).toMatchObject({ remaining: 1 });
    await used(limiter, 5);
    const { remaining, resetsAt } = (await peek())!;
    expect(remaining).toBe(0);
    expect(resetsAt - Date.now()).toBeGreaterThan(day * 500);
  });

  test('takes several points at once', async () => {
    const limiter = await create();
    expect(await limiter.consume('writes_a_minute', 'ada', 'unclaimed', 2)).toMatchObject({ remaining: 1 });
    await expect(limiter.consume('writes_a_minute', 'ada', 'unclaimed', 2)).rejects.toMatchObject({
      kind: 'rate_limited',
    });
  });

  test('consumes several limits at once, or none when one lacks points', async () => {
    const limiter = await create();
    const use = (key: string, points: number) => ({
      ...({ limit: 'writes_a_minute', key, kind: 'unclaimed' } as const),
      points,
    });
    const left = async (key: string) => (await limiter.peek('writes_a_minute', key, 'unclaimed'))?.remaining;
    await limiter.consumeAll([use('ada', 2), use('bob', 1)]);
    await expect(limiter.consumeAll([use('bob', 1), use('ada', 2)])).rejects.toMatchObject({
      kind: 'rate_limited',
      message: expect.stringContaining('has only 1 left'),
      details: { limit: 'writes_a_minute', code: 'rate_limited', resetsAt: expect.any(Date) },
    });
    expect([await left('ada'), await left('bob')]).toEqual([1, 2]);
    await limiter.consumeAll([{ ...use('shop', 9), kind: 'app' }, use('ada', 1)]);
    await expect(limiter.consumeAll([use('bob', 1), use('ada', 1)])).rejects.toMatchObject({
      message: expect.stringContaining('is used up'),
    });
    expect([await left('ada'), await left('bob')]).toEqual([0, 2]);
  });

  test('counts nothing without a limit, and refuses everything with a limit of 0', async () => {
    const limiter = await create();
    expect(await limiter.consume('writes_a_minute', 'shop', 'app')).toBeNull();
    expect(await limiter.peek('writes_a_minute', 'shop', 'app')).toBeNull();
    await expect(limiter.consume('writes_a_minute', 'ada', 'vouched')).rejects.toMatchObject({
      kind: 'rate_limited',
    });
  });

  test('refuses to count a size', async () => {
    const limiter = await create();
    await expect(limiter.consume('body_bytes', 'ada', 'claimed')).rejects.toMatchObject({ kind: 'internal' });
  });
});

test('replicas that share a Redis count together, and homes that share it count separately', async () => {
  const limiter = await overRedis('shared:');
  const two = await overRedis('shared:');
  const neighbour = await overRedis('neighbour:');
  const both = await Promise.all([used(limiter, 5), used(two, 5)]);
  expect(countOf(both.flat(), 'fulfilled')).toBe(3);
  expect(countOf(await used(neighbour, 5), 'fulfilled')).toBe(3);
});

test('replicas with local quotas admit exactly the limit together, and a single one reports the exact remainder', async () => {
  const limiter = await overRedis('ahead:');
  for (let remaining = 599; remaining >= 0; remaining -= 1)
    expect(await limiter.consume('reads_a_minute', 'alone', 'claimed')).toMatchObject({ remaining });
  await expect(limiter.consume('reads_a_minute', 'alone', 'claimed')).rejects.toMatchObject({
    kind: 'rate_limited',
  });

  const both = [limiter, await overRedis('ahead:')];
  let given = 0;
  let refused = 0;
  for (let use = 0; refused < 20; use += 1) {
    const read = await both[use % 3 === 0 ? 1 : 0]!.consume('reads_a_minute', 'ada', 'claimed').catch(
      () => null,
    );
    if (read === null) refused += 1;
    else given += 1;
    if (use === 200) {
      const { remaining } = (await both[1]!.peek('reads_a_minute', 'ada', 'claimed'))!;
      expect(remaining).toBeLessThanOrEqual(600 - given);
      expect(remaining).toBeGreaterThan(600 - given - 38);
    }
  }
  expect(given).toBe(600);
  const atOnce = await Promise.allSettled(
    Array.from({ length: 1_500 }, (_, use) => both[use % 2]!.consume('reads_a_minute', 'bob', 'claimed')),
  );
  expect(
    countOf(
      atOnce.map(({ status }) => status),
      'fulfilled',
    ),
  ).toBeLessThanOrEqual(600);
});

test('a key in steady use rarely asks Redis', async () => {
  const limiter = await overRedis('steady:');
  const operator = createClient({ url: server.url });
  await operator.connect();
  const calls = async () =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await operator.info('commandstats'))?.[1] ?? 0);
  const before = await calls();
  for (let use = 0; use < 200; use += 1) await limiter.consume('reads_a_minute', 'ada', 'claimed');
  expect((await calls()) - before).toBeLessThan(30);
  operator.destroy();
});

test('every counter in Redis expires with its window', async () => {
  const limiter = await overRedis('ending:');
  const before = Date.now();
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => limiter.consume('reads_a_minute', `caller-${n}`, 'claimed')),
  );
  const operator = createClient({ url: server.url });
  await operator.connect();
  const keys = await operator.keys('ending:*');
  const left = await Promise.all(keys.map((key) => operator.pTTL(key)));
  operator.destroy();
  expect(keys).toHaveLength(50);
  for (const milliseconds of left) {
    expect(milliseconds).toBeGreaterThan(day * 1_000 - (Date.now() - before) - 1_000);
    expect(milliseconds).toBeLessThanOrEqual(day * 1_000);
  }
});

test('without Redis each process counts locally, without waiting, and rejoins when it is back', async () => {
  const limiter = await overRedis('lost:');
  await used(limiter, 1);
  await server.kill();
  await delay(50);
  expect(countOf(await used(limiter, 10), 'fulfilled')).toBe(3);
  await server.start();
  const cache = caches.at(-1)!;
  await eventually(() => cache.health().ok);
  // The script was lost with the old server; the first count loads it again.
  expect(await limiter.consume('reads_a_minute', 'ada', 'claimed')).toMatchObject({ remaining: 599 });
  const operator = createClient({ url: server.url });
  await operator.connect();
  expect(await operator.keys('lost:*')).toHaveLength(1);
  operator.destroy();
});

test('a hanging Redis delays a caller by no more than its deadline', async () => {
  const limiter = await overRedis('hanging:', 250);
  await used(limiter, 1);
  server.freeze();
  expect(countOf(await used(limiter, 10), 'fulfilled')).toBe(3);
  await limiter.consume('reads_a_minute', 'ada', 'claimed');
  server.resume();
});
