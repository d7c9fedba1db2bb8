import { setTimeout as sleep } from 'node:timers/promises';
import { manualClock, systemClock } from '@hearth/clock';
import { eventually } from '@hearth/testkit';
import { startRedis } from '@hearth/testkit/redis';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Cache, createMemoryCache } from './index.ts';
import { createRedisCache } from './redis-cache.ts';

const warnings: string[] = [];
const log = { info: () => {}, warn: (_: object, message: string) => void warnings.push(message) };
let server: Awaited<ReturnType<typeof startRedis>>;
const caches: Record<string, Cache> = {};

beforeAll(async () => {
  server = await startRedis();
  caches['memory'] = createMemoryCache({ clock: systemClock, maxEntries: 100 });
  caches['redis'] = await createRedisCache({ url: server.url, prefix: 'home-a:', log });
  caches['neighbour'] = await createRedisCache({ url: server.url, prefix: 'home-b:', log });
});

afterAll(async () => {
  for (const cache of Object.values(caches)) await cache.close();
  await server.stop();
});

describe.each(['memory', 'redis'])('the %s cache', (kind) => {
  test('stores, replaces and deletes entries', async () => {
    const cache = caches[kind]!;
    expect(await cache.get('one')).toBeNull();
    await cache.set('one', 'first', 60);
    await cache.set('one', 'second', 60);
    expect(await cache.get('one')).toBe('second');
    await cache.delete('one');
    expect(await cache.get('one')).toBeNull();
  });

  test('expires entries', async () => {
    const cache = caches[kind]!;
    await cache.set('brief', 'here', 1);
    expect(await cache.get('brief')).toBe('here');
    await sleep(1_100);
    expect(await cache.get('brief')).toBeNull();
  });

  test('reports that it is healthy', () => expect(caches[kind]!.health()).toEqual({ ok: true }));
});

test('memory evicts the least recently used entries beyond its bound', async () => {
  const cache = createMemoryCache({ clock: manualClock('2026-01-01T00:00:00Z'), maxEntries: 2 });
  for (const key of ['a', 'b', 'c']) await cache.set(key, key, 60);
  expect([await cache.get('a'), await cache.get('b'), await cache.get('c')]).toEqual([null, 'b', 'c']);
});

test('homes that share a Redis see only their own entries', async () => {
  await caches['redis']!.set('shared name', 'mine', 60);
  expect(await caches['neighbour']!.get('shared name')).toBeNull();
});

test('a lost Redis acts as an empty cache, without errors or waiting, until it is back', async () => {
  const cache = caches['redis']!;
  await cache.set('kept', 'before', 60);
  await server.kill();
  expect(await cache.get('kept')).toBeNull();
  await cache.set('kept', 'during', 60);
  await cache.delete('kept');
  expect(cache.health().ok).toBe(false);
  for (let i = 0; i < 20; i += 1) await cache.get('kept');
  expect(warnings.filter((message) => message.includes('cannot be reached')).length).toBeLessThanOrEqual(2);

  await server.start();
  await eventually(() => cache.health().ok);
  await cache.set('kept', 'after', 60);
  expect(await cache.get('kept')).toBe('after');
});

test('a frozen Redis blocks no caller', async () => {
  const cache = caches['redis']!;
  await server.freeze();
  expect(await cache.get('anything')).toBeNull();
  await server.resume();
});
