import type { Pool } from 'undici';
import type { openPool } from './open-pool.ts';
import { OutboundError } from './outbound-error.ts';
import type { Resolver } from './resolver.ts';
import type { Target } from './target.ts';

/** Connection pools for many origins, each with few sockets. */
export interface Origins {
  /** Runs `work` with the pool of the target's origin, which stays open meanwhile. */
  use<T>(target: Target, work: (pool: Pool) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface OriginsOptions {
  /**
   * The most origins with a pool. The least recently used idle one makes room; one that failed to answer is
   * dropped.
   */
  maxOrigins: number;
  socketsPerOrigin: number;
  /** The most concurrent requests to one origin, including those waiting for a socket. */
  requestsPerOrigin: number;
  connectTimeoutMs: number;
  resolverFor(exempt: boolean): Resolver;
  /** Whether an origin that is not exempt may call an address. */
  mayCall(address: string): boolean;
  ca?: string | undefined;
}

interface Origin {
  pool: Pool;
  requests: number;
}

export function createOrigins(options: OriginsOptions): Origins {
  // Least recently used first.
  const origins = new Map<string, Origin>();

  function makeRoom(): void {
    if (origins.size < options.maxOrigins) return;
    for (const [name, origin] of origins) {
      if (origin.requests > 0) continue;
      letGo(name, origin);
      return;
    }
    throw new OutboundError('connection', 'too many hosts are being called at once; try again later');
  }

  /** Closes an origin that is not in use: one that did not answer has no connection worth keeping. */
  function letGo(name: string, origin: Origin): void {
    if (origin.requests > 0 || origins.get(name) !== origin) return;
    origins.delete(name);
    void origin.pool.destroy();
  }

  function take(target: Target, open: typeof openPool): Origin {
    const name = target.url.origin;
    let origin = origins.get(name);
    if (origin === undefined) {
      makeRoom();
      origin = { pool: open(target, options), requests: 0 };
    } else origins.delete(name);
    origins.set(name, origin);
    if (origin.requests >= options.requestsPerOrigin)
      throw new OutboundError(
        'connection',
        `too many requests to ${target.url.host} at once; try again later`,
      );
    return origin;
  }

  return {
    async use(target, work) {
      // Imported on first use: the client has a hundred modules, and some homes call no one.
      const origin = take(target, (await import('./open-pool.ts')).openPool);
      origin.requests += 1;
      let answered = false;
      try {
        const answer = await work(origin.pool);
        answered = true;
        return answer;
      } finally {
        origin.requests -= 1;
        if (!answered) letGo(target.url.origin, origin);
      }
    },
    async close() {
      const closing = [...origins.values()].map(({ pool }) => pool.destroy());
      origins.clear();
      await Promise.all(closing);
    },
  };
}
