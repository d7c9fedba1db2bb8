import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A wake-up or an event of an app that arrived whole. */
export interface Delivered {
  /** The path that it came to. */
  name: string;
  /** evt_...: by it receivers know what they have seen. */
  id: string;
  /** Its subject: a message, or the number of a change in its group. */
  about: string;
  /** Its data, without the members that may differ from one attempt to the next. */
  data: string;
  /** Since it happened, in milliseconds. */
  lagMs: number;
}

/**
 * The receiver takes a request, holds it until `answer`, answers a byte a second, answers without an end, redirects it, or
 * cuts it off. Challenges and test events are always given what they want.
 */
export type Manner = 'takes' | 'holds' | 'drips' | 'floods' | 'redirects' | 'cuts';

export interface Webhooks {
  origin: string;
  url(name: string): string;
  /** From now on, at one path. */
  behave(name: string, manner: Manner): void;
  readonly told: readonly Delivered[];
  at(name: string): Delivered[];
  /** Answers everything that is held. */
  answer(): void;
  stop(): Promise<void>;
}

/** Programs that wait for webhooks on this machine, each at a path of its own of one host; at any free port where none is given. */
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
    at: (name) => told.filter((one) => one.name === name),
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
