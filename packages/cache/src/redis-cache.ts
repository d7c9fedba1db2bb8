import { setTimeout as delay } from 'node:timers/promises';
import { isHearthError } from '@hearth/errors';
import type { Cache } from './cache.ts';
import type { Log } from './log.ts';
import { commandDeadline, createRedisGuard } from './redis-guard.ts';

export interface RedisCacheOptions {
  url: string;
  /** Before every key: several homes share one Redis. */
  prefix: string;
  log: Log;
  /** The longest that anybody waits for one command, in milliseconds: 250 by default. */
  deadline?: number;
}

/** The longest that a start waits for Redis, in milliseconds. */
const startPatience = 1_000;

/** The cache that the replicas of a home share. It starts also while Redis is away, and then is empty. */
export async function createRedisCache({
  url,
  prefix,
  log,
  deadline = commandDeadline,
}: RedisCacheOptions): Promise<Cache> {
  const redis = createRedisGuard(url, log, deadline);
  await Promise.race([redis.reached, delay(startPatience, undefined, { ref: false })]);
  let refused = false;

  /** A value that cannot be reached counts as absent. */
  async function orNull<T>(command: Parameters<typeof redis.run<T>>[0]): Promise<T | null> {
    try {
      const result = await redis.run(command);
      refused = false;
      return result;
    } catch (err) {
      // The guard tells of outages; this is a server that answers with a refusal, such as a full one.
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
