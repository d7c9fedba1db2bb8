import { networkInterfaces } from 'node:os';
import type { Clock } from '@hearth/clock';
import { internal } from '@hearth/errors';
import { recordOutbound } from '@hearth/telemetry';
import type { Dispatcher, Pool } from 'undici';
import { explain } from './explain.ts';
import { createOrigins } from './origins.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';
import { publicResolver, type Resolver, systemResolver } from './resolver.ts';
import { ownHostsOf, readTarget, type Target } from './target.ts';

type Headers = Readonly<Record<string, string>>;

export interface GuardedRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A URL chosen by another party; see `GuardedHttp.check`. */
  url: string;
  /**
   * Names in lowercase. The client sets `host`, `connection`, `content-length` and `transfer-encoding`
   * itself. A function is called for each try.
   */
  headers?: Headers | (() => Headers);
  body?: string | Uint8Array;
  /** Milliseconds for the whole request, from the lookup to the last byte of the answer (default: 10,000). */
  timeoutMs?: number;
  /** The most bytes read of the response body (default: 65,536); a longer one fails with `too_large`. */
  maxResponseBytes?: number;
  /** Aborts the request with `cancelled`. */
  signal?: AbortSignal;
}

export interface GuardedAnswer {
  status: number;
  /** Names in lowercase; repeated headers are joined with `, `. */
  headers: Readonly<Record<string, string>>;
  /** The raw body, never decompressed. */
  body: Buffer;
}

/** The only client for URLs that other parties choose: webhooks, callbacks, client metadata, other homes. */
export interface GuardedHttp {
  /**
   * Resolves for any status and follows no redirects. Each new connection goes to the very address that was
   * checked.
   *
   * @throws OutboundError
   */
  request(request: GuardedRequest): Promise<GuardedAnswer>;
  /**
   * Checks whether a URL may be called at all, without connecting or resolving its name; for use when the URL
   * is set. Returns it normalized, with the host as A-labels. The message of the OutboundError
   * (`refused_address`) says what is wrong, and fits after a field's name.
   */
  check(url: string): URL;
  /** Closes all connections; pending requests fail. */
  close(): Promise<void>;
}

export interface GuardedHttpOptions {
  clock: Clock;
  /**
   * Exact origins (`http://localhost:3000`) that need neither https nor a public address:
   * HEARTH_DEV_CALLBACKS.
   */
  devOrigins?: readonly string[];
  /** This home, whose own hosts are never called. */
  self?: { home: string; siteUrl: string };
  /** This machine's addresses, never called even if public (default: its interfaces' addresses). */
  ownAddresses?: () => readonly string[];
  /** Resolves all names (default: DNS, and the system's resolver for `devOrigins`). */
  resolver?: Resolver;
  /** Certificates (PEM) trusted in addition to the well-known ones. */
  ca?: string;
  /** The most origins with open connections (default: 256). */
  maxOrigins?: number;
  /** The most connections to one origin (default: 4). */
  socketsPerOrigin?: number;
  /** The most concurrent requests to one origin, including those waiting for a connection (default: 64). */
  requestsPerOrigin?: number;
  /** Milliseconds to connect, including TLS, within the request's own time (default: 5,000). */
  connectTimeoutMs?: number;
}

const defaultTimeoutMs = 10_000;
const defaultResponseBytes = 65_536;
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

export function createGuardedHttp(options: GuardedHttpOptions): GuardedHttp {
  const { clock, devOrigins = [], self, ownAddresses = addressesOfMachine } = options;
  const ownHosts = self === undefined ? undefined : ownHostsOf(self);
  const fromDns = options.resolver ?? publicResolver();
  const fromSystem = options.resolver ?? systemResolver;
  const origins = createOrigins({
    maxOrigins: options.maxOrigins ?? 256,
    socketsPerOrigin: options.socketsPerOrigin ?? 4,
    requestsPerOrigin: options.requestsPerOrigin ?? 64,
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    resolverFor: (exempt) => (exempt ? fromSystem : fromDns),
    mayCall: (address) => isPublicAddress(address) && !ownAddresses().includes(address),
    ca: options.ca,
  });

  async function request(asked: GuardedRequest): Promise<GuardedAnswer> {
    const target = readTarget(asked.url, devOrigins, ownHosts);
    return await origins.use(target, (pool) =>
      withinTime(asked, (signal) => sendAgainIfStale(pool, target, asked, signal)),
    );
  }

  return {
    async request(asked) {
      const start = clock.now();
      const record = (outcome: { status?: number; category?: string }) =>
        recordOutbound({ method: asked.method, seconds: (clock.now() - start) / 1_000, ...outcome });
      try {
        const answer = await request(asked);
        record({ status: answer.status });
        return answer;
      } catch (error) {
        if (error instanceof OutboundError) record({ category: error.category });
        throw error;
      }
    },
    check: (url) => readTarget(url, devOrigins, ownHosts).url,
    close: () => origins.close(),
  };
}

/** Read for each connection, since interfaces come and go. */
function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((those = []) => those.map(({ address }) => address));
}

/** Ends the work on timeout or cancellation, and reports which of the two it was. */
async function withinTime<T>(asked: GuardedRequest, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, timeoutMs = defaultTimeoutMs } = asked;
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const ending = new AbortController();
  const end = (error: OutboundError) => {
    reject(error);
    ending.abort(error);
  };
  const cancel = () => end(new OutboundError('cancelled', 'the request was given up'));
  const timer = setTimeout(
    () => end(new OutboundError('timeout', `no answer within ${timeoutMs / 1_000} seconds`)),
    timeoutMs,
  );
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  try {
    // The connection reports an abort later, or never during a lookup.
    return await Promise.race([ended, work(ending.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** The other side closed the connection, or no longer knows it. */
const closedCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * Retries once if a reused connection was closed before the answer began, because the other side dropped it
 * just as the request was written. All requests here may safely arrive twice: they only read, carry an id
 * that the receiver knows, or make their headers for each try.
 */
async function sendAgainIfStale(
  pool: Pool,
  target: Target,
  asked: GuardedRequest,
  signal: AbortSignal,
): Promise<GuardedAnswer> {
  const reuses = pool.stats.free > 0;
  try {
    return await send(pool, target, asked, signal);
  } catch (error) {
    if (!reuses || signal.aborted || !(error instanceof OutboundError) || !isClosed(error)) throw error;
    return await send(pool, target, asked, signal);
  }
}

function isClosed({ cause, status }: OutboundError): boolean {
  return status === undefined && closedCodes.has((cause as { code?: string } | undefined)?.code ?? '');
}

async function send(
  pool: Pool,
  { url }: Target,
  asked: GuardedRequest,
  signal: AbortSignal,
): Promise<GuardedAnswer> {
  const { method, body = null, maxResponseBytes = defaultResponseBytes } = asked;
  const headers = typeof asked.headers === 'function' ? asked.headers() : (asked.headers ?? {});
  for (const name of Object.keys(headers)) {
    if (ownHeaders.has(name.toLowerCase())) throw internal(`the header ${name} is not the caller's to set`);
  }
  const fullHeaders = { 'user-agent': 'hearth', 'accept-encoding': 'identity', ...headers };
  let status: number | undefined;
  try {
    const answer = await pool.request({
      method,
      path: `${url.pathname}${url.search}`,
      headers: fullHeaders,
      body,
      signal,
    });
    status = answer.statusCode;
    return {
      status,
      headers: joinHeaders(answer.headers),
      body: await readBody(answer.body, maxResponseBytes, url.host, status),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw explain(error, url.host, status);
  }
}

/** Stops reading at the limit; leaving the loop with an error closes the connection. */
async function readBody(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
  host: string,
  status: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes)
      throw new OutboundError('too_large', `the answer of ${host} is larger than ${maxBytes} bytes`, {
        status,
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  );
}
