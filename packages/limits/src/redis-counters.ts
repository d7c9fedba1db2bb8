import { createHash } from 'node:crypto';
import type { RedisClient, RedisGuard } from '@hearth/cache';
import { createCoalescer } from '@hearth/coalesce';

interface Use {
  key: string;
  points: string;
  windowSeconds: string;
}

/** The uses in the window, and the milliseconds until its end. */
type Count = [used: number, left: number];

/**
 * Counts any number of uses in one round trip. A key's first use opens its window. If a window has more time left
 * than its length, the server's clock was set back after it opened, and a new window opens.
 */
const script = `
local counts = {}
for i, key in ipairs(KEYS) do
  local window = 1000 * ARGV[2 * i]
  local left = redis.call('PTTL', key)
  local used
  if left < 0 or left > window then
    used = tonumber(ARGV[2 * i - 1])
    redis.call('SET', key, used, 'PX', window)
    left = window
  else
    used = redis.call('INCRBY', key, ARGV[2 * i - 1])
  end
  counts[2 * i - 1] = used
  counts[2 * i] = left
end
return counts`;

const scriptHash = createHash('sha1').update(script).digest('hex');

/**
 * The part of a client that RateLimiterRedis uses (node-redis, by its option `useRedisPackage`). Counts with
 * our own script instead of the library's, so that uses arriving while others are being counted share one
 * call: a fifth of the CPU time.
 */
export interface CountingClient {
  readonly isReady: boolean;
  eval(script: string, options: { keys: [string]; arguments: string[] }): Promise<Count>;
  multi(): { get(key: string): ReadingCount };
}

interface ReadingCount {
  pTTL(key: string): { exec(): Promise<unknown[]> };
}

export function createCountingClient(redis: RedisGuard): CountingClient {
  const coalescer = createCoalescer<Use, Count>({
    async run(uses) {
      const flat = await redis.run((client) => count(client, uses));
      return uses.map((_use, index) => [flat[2 * index]!, flat[2 * index + 1]!]);
    },
  });
  return {
    get isReady() {
      return redis.isReady;
    },
    eval(_script, { keys: [key], arguments: [points = '1', windowSeconds = '1'] }) {
      return coalescer.add({ key, points, windowSeconds });
    },
    multi: () => ({
      get: (key) => ({
        pTTL: () => ({
          exec: () => redis.run((client) => client.multi().get(key).pTTL(key).execAsPipeline()),
        }),
      }),
    }),
  };
}

async function count(client: RedisClient, uses: readonly Use[]): Promise<number[]> {
  const options = {
    keys: uses.map((use) => use.key),
    arguments: uses.flatMap((use) => [use.points, use.windowSeconds]),
  };
  try {
    return (await client.evalSha(scriptHash, options)) as number[];
  } catch (error) {
    // A restarted server does not know the script yet.
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return (await client.eval(script, options)) as number[];
  }
}
