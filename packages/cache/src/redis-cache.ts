import type { Cache } from './cache.ts';
import type { Log } from './log.ts';
import { commandTimeoutMs, createRedis } from './redis-connection.ts';

export interface RedisCacheOptions {
  url: string;
  /** Before every key: several homes share one Redis. */
  prefix: string;
  log: Log;
}

/** The cache that the replicas of a home share. It starts also while Redis is away, and then is empty. */
export async function createRedisCache({ url, prefix, log }: RedisCacheOptions): Promise<Cache> {
  const redis = createRedis(url, log);
  // Connecting goes on in the background when the first try fails.
  const connecting = redis.connect().catch(() => {});
  await Promise.race([connecting, new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);

  /** What cannot be reached is not there. */
  async function orNull<T>(command: () => Promise<T>): Promise<T | null> {
    if (!redis.isReady) return null;
    try {
      return await withinTimeout(command());
    } catch {
      return null;
    }
  }

  return {
    get: (key) => orNull(() => redis.get(prefix + key)),
    async set(key, value, ttlSeconds) {
      await orNull(() => redis.set(prefix + key, value, { expiration: { type: 'EX', value: ttlSeconds } }));
    },
    async delete(key) {
      await orNull(() => redis.del(prefix + key));
    },
    health: () => (redis.isReady ? { ok: true } : { ok: false, reason: 'Redis cannot be reached' }),
    redis,
    async close() {
      if (redis.isOpen) redis.destroy();
    },
  };
}

/** A server that took the command and says nothing is as good as away. */
function withinTimeout<T>(work: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, commandTimeoutMs, null);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
