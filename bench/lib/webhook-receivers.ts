import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Silence, startSilentServers, withBody } from './silent-servers.ts';

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
  let repeated = 0;

  function take(text: string, response: ServerResponse, those: Silence): void {
    // Before anything else: what comes after it is the receiver's own.
    const now = performance.timeOrigin + performance.now();
    const { type, challenge, id, eventId = id, at, timestamp = at } = JSON.parse(text);
    if (type === 'verification') return void response.end(JSON.stringify({ challenge }));
    if (those.dead()) return void those.keep(response);
    response.writeHead(200).end();
    if (seen.has(eventId)) repeated += 1;
    seen.add(eventId);
    those.addLags(now - Date.parse(timestamp));
  }

  function listen(request: IncomingMessage, response: ServerResponse, those: Silence): void {
    // From a sender of another receiver that had the port before.
    if (request.method !== 'POST') return void response.writeHead(405).end();
    withBody(request, (body) => take(body, response, those));
  }

  const servers = await startSilentServers(count, listen);
  return {
    origins: servers.ports.map((port) => `http://127.0.0.1:${port}`),
    takeLags: servers.takeLags,
    arrived: () => seen.size,
    repeated: () => repeated,
    die: servers.die,
    stop: servers.stop,
  };
}
