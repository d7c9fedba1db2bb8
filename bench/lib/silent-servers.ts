import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The servers' shared state, for their handlers. */
export interface Silence {
  dead(): boolean;
  /** Never answers this response. */
  keep(response: ServerResponse): void;
  /** In milliseconds. */
  addLags(...lags: number[]): void;
}

/** HTTP servers on this machine that can fall silent, each on a port of its own. */
export interface SilentServers {
  readonly ports: readonly number[];
  /** The lags since the last call. */
  takeLags(): number[];
  die(): void;
  stop(): Promise<void>;
}

export async function startSilentServers(
  count: number,
  listen: (request: IncomingMessage, response: ServerResponse, those: Silence) => void,
): Promise<SilentServers> {
  const waiting = new Set<ServerResponse>();
  let lags: number[] = [];
  let dead = false;
  const those: Silence = {
    dead: () => dead,
    keep(response) {
      waiting.add(response);
    },
    addLags(...more) {
      lags.push(...more);
    },
  };
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) =>
        listen(request, response, those),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  return {
    ports: servers.map((server) => (server.address() as AddressInfo).port),
    takeLags() {
      const taken = lags;
      lags = [];
      return taken;
    },
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

/** Calls `then` with the complete body of a request. */
export function withBody(request: IncomingMessage, then: (body: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => then(Buffer.concat(chunks).toString()));
}
