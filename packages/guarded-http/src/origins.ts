import type { Pool } from 'undici';
import type { openPool } from './open-pool.ts';
import { OutboundError } from './outbound-error.ts';
import type { Resolver } from './resolver.ts';
import type { Target } from './target.ts';

/** Kept connections to many origins, each with few sockets. */
export interface Origins {
  /** Runs `work` with the connections to the target's origin, which stay open as long as it runs. */
  use<T>(target: Target, work: (pool: Pool) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface OriginsOptions {
  /** The most origins with connections; the one unused for longest makes room, and one that did not answer is let go of. */
  maxOrigins: number;
  socketsPerOrigin: number;
  /** The most requests to one origin at once, waiting for a socket or not. */
  requestsPerOrigin: number;
  connectTimeoutMs: number;
  resolverFor(exempt: boolean): Resolver;
  /** Whether an address may be called by an origin that is not exempt. */
  mayCall(address: string): boolean;
  ca?: string | undefined;
}

interface Origin {
  pool: Pool;
  requests: number;
}

export function createOrigins(options: OriginsOptions): Origins {
  // In the order of their last use.
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

  /** Unless it is in use: one that did not answer has no connection that is worth its memory. */
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
      // The client is a hundred modules, which a home that calls none goes without.
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
