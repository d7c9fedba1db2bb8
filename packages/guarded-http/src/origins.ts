import { Pool } from 'undici';
import { createConnector } from './connect.ts';
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
  /** The most origins with connections; the one unused for longest makes room. */
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

/** How long an unused connection stays, and the most that the other side may ask for. */
const keepAliveMs = 10_000;
const keepAliveMostMs = 30_000;
const maxHeaderBytes = 16_384;

interface Origin {
  pool: Pool;
  requests: number;
}

export function createOrigins(options: OriginsOptions): Origins {
  // In the order of their last use.
  const origins = new Map<string, Origin>();

  function open({ url, exempt }: Target): Origin {
    const { connectTimeoutMs: timeoutMs, resolverFor, mayCall, socketsPerOrigin, ca } = options;
    const pool = new Pool(url.origin, {
      connect: createConnector({ resolver: resolverFor(exempt), exempt, mayCall, timeoutMs, ca }),
      connections: socketsPerOrigin,
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMostMs,
      maxHeaderSize: maxHeaderBytes,
      // Each request brings its own bound for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { pool, requests: 0 };
  }

  function makeRoom(): void {
    if (origins.size < options.maxOrigins) return;
    for (const [name, { pool, requests }] of origins) {
      if (requests > 0) continue;
      origins.delete(name);
      void pool.destroy();
      return;
    }
    throw new OutboundError('connection', 'too many hosts are being called at once; try again later');
  }

  function take(target: Target): Origin {
    const name = target.url.origin;
    let origin = origins.get(name);
    if (origin === undefined) {
      makeRoom();
      origin = open(target);
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
      const origin = take(target);
      origin.requests += 1;
      try {
        return await work(origin.pool);
      } finally {
        origin.requests -= 1;
      }
    },
    async close() {
      const closing = [...origins.values()].map(({ pool }) => pool.destroy());
      origins.clear();
      await Promise.all(closing);
    },
  };
}
