import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Programs that wait for webhooks on this machine, each at an origin of its own. */
export interface WebhookReceivers {
  readonly origins: readonly string[];
  /** Since when its event had happened, in milliseconds, of what arrived since the last call; by `of` in their order. */
  takeLags(): number[];
  /** How many events arrived since the beginning, each counted once. */
  arrived(): number;
  /** How many came more than once. */
  repeated(): number;
  /** From now on they take what comes and never answer. */
  die(): void;
  stop(): Promise<void>;
}

/** Challenges are given back; everything else is taken with 200. */
export async function startWebhookReceivers(count: number): Promise<WebhookReceivers> {
  const seen = new Set<string>();
  const waiting = new Set<ServerResponse>();
  let lags: number[] = [];
  let repeated = 0;
  let dead = false;

  function take(text: string, response: ServerResponse): void {
    // Before anything else: what comes after it is the receiver's own.
    const now = performance.timeOrigin + performance.now();
    const { type, challenge, id, eventId = id, at, timestamp = at } = JSON.parse(text);
    if (type === 'verification') return void response.end(JSON.stringify({ challenge }));
    if (dead) return void waiting.add(response);
    response.writeHead(200).end();
    if (seen.has(eventId)) repeated += 1;
    seen.add(eventId);
    lags.push(now - Date.parse(timestamp));
  }

  function listen(request: IncomingMessage, response: ServerResponse): void {
    // From a sender of another receiver that had the port before.
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => take(Buffer.concat(chunks).toString(), response));
  }

  const servers = await Promise.all(Array.from({ length: count }, () => startServer(listen)));
  return {
    origins: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    takeLags() {
      const taken = lags;
      lags = [];
      return taken;
    },
    arrived: () => seen.size,
    repeated: () => repeated,
    die() {
      dead = true;
    },
    async stop() {
      for (const response of waiting) response.destroy();
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

async function startServer(
  listen: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listen);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
