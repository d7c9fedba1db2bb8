import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@hearth/testkit';
import { startRedis } from '@hearth/testkit/redis';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createClient } from 'redis';
import type { Cache } from './index.ts';
import { createRedisCache } from './redis-cache.ts';

let server: Awaited<ReturnType<typeof startRedis>>;
let cache: Cache;
let written: string[];

beforeEach(async () => {
  server = await startRedis();
  written = [];
  const log = {
    info: (_details: object, message: string) => void written.push(message),
    warn: (_details: object, message: string) => void written.push(message),
  };
  cache = await createRedisCache({ url: server.url, prefix: 'home:', log });
});

afterEach(async () => {
  await cache.close();
  await server.stop();
});

const untilHealthy = () => eventually(() => cache.health().ok);

test('a Redis that is killed and comes back is reported once each way', async () => {
  await cache.set('kept', 'before', 60);
  await server.kill();
  for (let i = 0; i < 30; i += 1) expect(await cache.get('kept')).toBeNull();
  await delay(500);
  expect(cache.health()).toEqual({ ok: false, reason: 'Redis cannot be reached' });
  await server.start();
  await untilHealthy();
  await cache.set('kept', 'after', 60);
  expect(await cache.get('kept')).toBe('after');
  expect(written).toEqual([
    'Redis cannot be reached; the home goes on without what it kept there',
    'Redis is back',
  ]);
});

test('a Redis that hangs costs one deadline, and is used again when it responds', async () => {
  await cache.set('kept', 'before', 60);
  server.freeze();
  const start = performance.now();
  await Promise.all(Array.from({ length: 100 }, () => cache.get('kept')));
  expect(performance.now() - start).toBeGreaterThanOrEqual(240);
  expect(await cache.get('kept')).toBeNull();
  expect(cache.health()).toEqual({ ok: false, reason: 'Redis does not answer in time' });
  server.resume();
  await untilHealthy();
  expect(await cache.get('kept')).toBe('before');
  expect(written).toEqual([
    'Redis does not answer in time; the home goes on without what it kept there',
    'Redis is back',
  ]);
});

test('a silent connection is replaced', async () => {
  server.freeze();
  await cache.get('anything');
  await delay(2_500);
  expect(cache.health().ok).toBe(false);
  server.resume();
  await untilHealthy();
  await cache.set('kept', 'after', 60);
  expect(await cache.get('kept')).toBe('after');
  // A leaked old connection would show up in this list.
  const operator = createClient({ url: server.url });
  await operator.connect();
  const clients = (await operator.clientList()).length;
  operator.destroy();
  expect(clients).toBe(2);
});

test('a full Redis acts as an empty cache, and is reported once', async () => {
  const operator = createClient({ url: server.url });
  await operator.connect();
  await operator.configSet('maxmemory', '1');
  for (let i = 0; i < 5; i += 1) await cache.set('kept', 'value', 60);
  expect(await cache.get('kept')).toBeNull();
  await operator.configSet('maxmemory', '0');
  operator.destroy();
  await cache.set('kept', 'value', 60);
  expect(await cache.get('kept')).toBe('value');
  expect(written.filter((message) => message.includes('refuses'))).toHaveLength(1);
});

test('a start does not wait for an absent Redis, and finds it later', async () => {
  await server.kill();
  const log = { info: () => {}, warn: () => {} };
  const late = await createRedisCache({ url: server.url, prefix: 'home:', log });
  expect(late.health().ok).toBe(false);
  await server.start();
  await eventually(() => late.health().ok);
  await late.set('kept', 'value', 60);
  expect(await late.get('kept')).toBe('value');
  await late.close();
});

test('closing does not wait for an absent Redis', async () => {
  await server.kill();
  await cache.close();
  expect(await cache.get('kept')).toBeNull();
});
