import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HearthError } from '@hearth/errors';
import { widerNetworks } from '@hearth/limits';
import type { Host } from '@hearth/runtime';
import type { App } from './app.ts';
import { classesOf } from './app-classes.ts';
import { answerClientError, type Latest } from './client-error.ts';
import { holdContinue } from './expect.ts';
import type { Network } from './network.ts';
import { sendJson } from './send.ts';

export interface HttpServer {
  readonly port: number;
  /** Accepts no new connections. Resolves once pending requests are answered, or cut after that many milliseconds. */
  drain(graceMs: number): Promise<void>;
}

const headersTimeoutMs = 20_000;
/** Bounds how long a request takes to arrive, not how long it is held. */
const requestTimeoutMs = 30_000;
const maxHeaderBytes = 16_384;
const sweepMs = 100;
/** Room for ten thousand clients that reconnect at once after a restart. */
const backlog = 4_096;

/**
 * Serves `app` on the configured port. Throws `unavailable`, with a hint for the operator, if it cannot
 * listen there.
 */
export async function listen(
  app: App,
  config: Pick<Host['config'], 'port' | 'bind' | 'connections' | 'connectionsOfNetwork' | 'keepAliveSeconds'>,
  network: Pick<Network, 'behind'>,
): Promise<HttpServer> {
  const { port, bind: host = '0.0.0.0', connections, connectionsOfNetwork } = config;
  const latest = new WeakMap<Duplex, Latest>();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, { request, response });
    app.handle(request, response);
  };
  const server = createServer(
    { ...classesOf(app.express, app.ended), ...reading(config.keepAliveSeconds) },
    handle,
  );
  server.maxConnections = connections;
  server.on('checkContinue', (request, response) => {
    holdContinue(request, response);
    handle(request, response);
  });
  server.on('checkExpectation', refuseExpectation);
  server.on('clientError', (error, socket) => answerClientError(error, socket, latest.get(socket)));
  const open = openConnections(server);
  boundNetworks(server, network, connectionsOfNetwork);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port, host)));
    server.listen({ port, host, backlog }, resolve);
  });
  return { port: portOf(server), drain: (graceMs) => drain(server, open, graceMs) };
}

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  sendJson(response, 417, '{"error":"send no Expect but \\"100-continue\\""}');
}

function reading(keepAliveSeconds: number) {
  return {
    maxHeaderSize: maxHeaderBytes,
    // Node's own refusal has no body.
    requireHostHeader: false,
    keepAliveTimeout: keepAliveSeconds * 1_000,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: 5_000,
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function openConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

/** Cuts a network's connections beyond `most`, and its wider IPv6 networks' connections beyond a multiple of that. */
export function boundNetworks(
  server: Pick<Server, 'on'>,
  network: Pick<Network, 'behind'>,
  most: number,
): void {
  const open = new Map<string, number>();
  const add = (name: string, change: 1 | -1) => {
    const count = (open.get(name) ?? 0) + change;
    if (count > 0) open.set(name, count);
    else open.delete(name);
  };
  server.on('connection', (socket: Socket) => {
    const own = network.behind(socket);
    if (own === undefined) return;
    const names = [{ network: own, times: 1 }, ...widerNetworks(own)];
    if (names.some(({ network: name, times }) => (open.get(name) ?? 0) >= most * times))
      return void socket.destroy();
    for (const { network: name } of names) add(name, 1);
    socket.once('close', () => {
      for (const { network: name } of names) add(name, -1);
    });
  });
}

async function drain(server: Server, open: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const sweep = setInterval(() => {
    // A connection whose last answer didn't say that it closes becomes idle later.
    server.closeIdleConnections();
    // Browsers and proxies open connections in advance; Node takes one without a byte for busy.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  }, sweepMs);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): HearthError {
  return new HearthError('unavailable', reasonOf(error, port, host), { cause: error });
}

const noAddressOfOurs = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EAI_AGAIN', 'EINVAL', 'ENOTFOUND']);

function reasonOf(error: NodeJS.ErrnoException, port: number, host: string): string {
  if (noAddressOfOurs.has(error.code ?? '')) {
    return `HEARTH_BIND is "${host}", which is no address of this machine; start with HEARTH_BIND=127.0.0.1 or without it`;
  }
  if (error.code === 'EADDRINUSE') {
    const other = port < 65_535 ? port + 1 : 8080;
    return `port ${port} is taken by another program; stop it or start with PORT=${other} npm start`;
  }
  if (error.code === 'EACCES') {
    return `port ${port} may not be listened on by this user; start with a port above 1023: PORT=8080 npm start`;
  }
  return `port ${port} cannot be listened on (${error.message}); start with another one: PORT=8080 npm start`;
}
