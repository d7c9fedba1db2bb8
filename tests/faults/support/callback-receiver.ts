import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A callback that arrived completely. */
export interface Arrived {
  /** Its webhook-id, by which receivers deduplicate. */
  id: string;
  timestamp: string;
  signature: string;
  body: string;
}

/** Whether the receiver accepts a callback, or does not answer until `answer`. */
export type Manner = 'takes' | 'hangs';

export interface CallbackReceiver {
  origin: string;
  url: string;
  /** In order of arrival, including unanswered ones. */
  readonly arrived: readonly Arrived[];
  of(id: string): Arrived[];
  behave(manner: Manner): void;
  /** Answers held callbacks. */
  answer(): void;
  stop(): Promise<void>;
}

/** A program that receives callbacks on this machine, and echoes challenges. */
export async function startCallbackReceiver(): Promise<CallbackReceiver> {
  const arrived: Arrived[] = [];
  const hanging = new Set<ServerResponse>();
  let manner: Manner = 'takes';

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers } = request;
      const body = Buffer.concat(chunks).toString();
      const { type, challenge } = JSON.parse(body);
      if (type === 'verification') return void response.end(JSON.stringify({ challenge }));
      arrived.push({
        id: String(headers['webhook-id']),
        timestamp: String(headers['webhook-timestamp']),
        signature: String(headers['webhook-signature']),
        body,
      });
      if (manner === 'hangs') hanging.add(response);
      else response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/settled`,
    arrived,
    of: (id) => arrived.filter((arrival) => arrival.id === id),
    behave(next) {
      manner = next;
    },
    answer() {
      for (const response of hanging) response.end();
      hanging.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
