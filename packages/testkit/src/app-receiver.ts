import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An event that arrived completely. */
export interface Arrived {
  headers: IncomingHttpHeaders;
  signature: string;
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: { id: string; type: string; at: string; data: any };
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Reaction to an event: answer, break the connection off, or never answer. */
export type Manner = Answer | 'breaks' | 'hangs';

export interface AppReceiver {
  origin: string;
  url: string;
  /** In order of arrival, unanswered ones included. */
  readonly arrived: Arrived[];
  /** Sets the answers to the next events; later ones get 200 again. */
  next(...manners: Manner[]): void;
  /** Sets the answer to every event from now on. */
  always(manner: Manner): void;
  types(): string[];
  stop(): Promise<void>;
}

const taken: Answer = { status: 200 };

/** Starts an app's webhook receiver on this machine. */
export async function startAppReceiver(): Promise<AppReceiver> {
  const arrived: Arrived[] = [];
  const queue: Manner[] = [];
  const hanging = new Set<ServerResponse>();
  let usual: Manner = taken;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const { headers } = request;
      arrived.push({ headers, signature: String(headers['svc-signature']), raw, body: JSON.parse(raw) });
      const manner = queue.shift() ?? usual;
      if (manner === 'breaks') request.socket.destroy();
      else if (manner === 'hangs') hanging.add(response);
      else response.writeHead(manner.status, manner.headers ?? {}).end(manner.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/events`,
    arrived,
    next: (...manners) => void queue.push(...manners),
    always(manner) {
      usual = manner;
    },
    types: () => arrived.map(({ body }) => body.type),
    async stop() {
      for (const response of hanging) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
