import { createClient } from 'redis';
import type { Log } from './log.ts';

export type Redis = ReturnType<typeof createRedis>;

/** The longest that anybody waits for Redis, in milliseconds. */
export const commandTimeoutMs = 250;
const longestPauseMs = 2_000;

/** A connection that comes back by itself; while it is away commands fail at once instead of waiting. */
export function createRedis(url: string, log: Log) {
  let away = false;
  const redis = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, longestPauseMs),
    },
  });
  // Without a listener a lost connection would end the process. One line for each outage.
  redis.on('error', (err: unknown) => {
    if (!away) log.warn({ err }, 'Redis cannot be reached; the home goes on without what it kept there');
    away = true;
  });
  redis.on('ready', () => {
    if (away) log.info({}, 'Redis is back');
    away = false;
  });
  return redis;
}
