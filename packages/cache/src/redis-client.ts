import { createClient } from 'redis';

export type RedisClient = ReturnType<typeof createRedisClient>;

const longestPause = 2_000;

/** A client that reconnects by itself. While disconnected, commands fail immediately instead of queueing. */
export function createRedisClient(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    // The guard applies timeouts. The client's own would allocate an abort signal for each command and report an error
    // 5 s later.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, longestPause),
    },
  });
}
