import { createClient } from 'redis';

export type RedisClient = ReturnType<typeof createRedisClient>;

const longestPause = 2_000;

/** A client that connects again by itself; while it is away commands fail at once instead of waiting. */
export function createRedisClient(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    // The guard ends what takes too long. The client's own end of a command makes a signal for each, and an error of it 5 s later.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, longestPause),
    },
  });
}
