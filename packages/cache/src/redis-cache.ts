import { setTimeout as delay } from 'node:timers/promises';
import { isHearthError } from '@hearth/errors';
import type { Cache } from './cache.ts';
import type { Log } from './log.ts';
import { commandDeadline, createRedisGuard } from './redis-guard.ts';

export interface RedisCacheOptions {
  url: string;
  /** Prefixed to every key, so that several homes can share one Redis. */
  prefix: string;
  log: Log;
  /** The timeout of one command, in milliseconds (default 250). */
  deadline?: number;
}

/** How long to wait for Redis at startup, in milliseconds. */
const startPatience = 1_000;

/** The cache that a home's replicas share. Starts empty when Redis is unreachable. */
export async function createRedisCache({
  url,
  prefix,
  log,
  deadline = commandDeadline,
}: RedisCacheOptions): Promise<Cache> {
  const redis = createRedisGuard(url, log, deadline);
  await Promise.race([redis.reached, delay(startPatience, undefined, { ref: false })]);
  let refused = false;

  /** Treats an unreachable value as missing. */
  async function orNull<T>(command: Parameters<typeof redis.run<T>>[0]): Promise<T | null> {
    try {
      const result = await redis.run(command);
      refused = false;
      return result;
    } catch (err) {
      // The guard logs outages; this logs a server that refuses commands, for example because it is full.
      if (!isHearthError(err) && redis.isReady) tellOnce(err);
      return null;
    }
  }

  function tellOnce(err: unknown): void {
    if (!refused) log.warn({ err }, 'Redis refuses what the home would keep there');
    refused = true;
  }

  return {
    get: (key) => orNull((client) => client.get(prefix + key)),
    async set(key, value, ttlSeconds) {
      await orNull((client) =>
        client.set(prefix + key, value, { expiration: { type: 'EX', value: ttlSeconds } }),
      );
    },
    async delete(key) {
      await orNull((client) => client.del(prefix + key));
    },
    health: () => (redis.isReady ? { ok: true } : { ok: false, reason: redis.trouble ?? 'Redis is away' }),
    redis,
    close: () => redis.close(),
  };
}
