import { Pool } from 'undici';
import { createConnector } from './connect.ts';
import type { OriginsOptions } from './origins.ts';
import type { Target } from './target.ts';

/** How long an idle connection is kept, and the most that the other side may ask for. */
const keepAliveMs = 10_000;
const keepAliveMostMs = 30_000;
const maxHeaderBytes = 16_384;

/** Opens the connection pool of one origin. */
export function openPool({ url, exempt }: Target, options: OriginsOptions): Pool {
  const { connectTimeoutMs: timeoutMs, resolverFor, mayCall, socketsPerOrigin, ca } = options;
  return new Pool(url.origin, {
    connect: createConnector({ resolver: resolverFor(exempt), exempt, mayCall, timeoutMs, ca }),
    connections: socketsPerOrigin,
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMostMs,
    maxHeaderSize: maxHeaderBytes,
    // Each request has its own overall timeout.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
