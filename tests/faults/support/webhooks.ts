import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A wake-up or app event that arrived completely. */
export interface Delivered {
  /** The path it was sent to. */
  name: string;
  /** evt_..., by which receivers deduplicate. */
  id: string;
  /** Its subject: a message, or the number of a group's change. */
  about: string;
  /** Its data, without fields that may differ between attempts. */
  data: string;
  /** Milliseconds since it happened. */
  lagMs: number;
}

/**
 * How a receiver treats a request: accepts it, holds it until `answer`, answers a byte a second, answers endlessly,
 * redirects it, or cuts it off. Challenges and test events always succeed.
 */
export type Manner = 'takes' | 'holds' | 'drips' | 'floods' | 'redirects' | 'cuts';

export interface Webhooks {
  origin: string;
  url(name: string): string;
  /** Sets the manner of one path from now on. */
  behave(name: string, manner: Manner): void;
  readonly told: readonly Delivered[];
  at(name: string): Delivered[];
  /** Answers all held requests. */
  answer(): void;
  stop(): Promise<void>;
}

/** Webhook receivers on this machine, each at its own path of one host; at any free port by default. */
export async function startWebhooks(port = 0): Promise<Webhooks> {
  const manners = new Map<string, Manner>();
  const told: Delivered[] = [];
  const held = new Set<ServerResponse>();
  const timers = new Set<NodeJS.Timeout>();

  function take(name: string, text: string, response: ServerResponse): void {
    const now = performance.timeOrigin + performance.now();
    const body = JSON.parse(text);
    if (body.type === 'verification') return void response.end(JSON.stringify({ challenge: body.challenge }));
    if (body.type === 'test') return void response.end();
    const { id, eventId = id, at, timestamp = at, data } = body;
    const about = data.message_id ?? `${data.group?.id} ${data.seq}`;
    told.push({ name, id: eventId, about, data: JSON.stringify(data), lagMs: now - Date.parse(timestamp) });
    answers[manners.get(name) ?? 'takes'](response);
  }

  const answers: Record<Manner, (response: ServerResponse) => void> = {
    takes: (response) => void response.end(),
    holds: (response) => void held.add(response),
    cuts: (response) => void response.destroy(),
    redirects: (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
    drips(response) {
      response.writeHead(200).write('.');
      const timer = setInterval(() => response.write('.'), 1_000);
      timers.add(timer);
      response.once('close', () => clearInterval(timer));
    },
    floods(response) {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      response.writeHead(500);
      more();
    },
  };

  const server = createServer((request, response) => {
    // A request meant for another server that had the port before.
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    response.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => take(request.url!.slice(1), Buffer.concat(chunks).toString(), response));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: (name) => `${origin}/${name}`,
    behave: (name, manner) => void manners.set(name, manner),
    told,
    at: (name) => told.filter((request) => request.name === name),
    answer() {
      for (const response of held) response.end();
      held.clear();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
