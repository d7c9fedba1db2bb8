import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Silence, startSilentServers, withBody } from './silent-servers.ts';

/** Webhook receivers on this machine, each at an origin of its own. */
export interface WebhookReceivers {
  readonly origins: readonly string[];
  /** The lags between events and their arrival since the last call, in milliseconds, in the order of `of`. */
  takeLags(): number[];
  /** The distinct events that arrived since the start. */
  arrived(): number;
  /** How many arrived more than once. */
  repeated(): number;
  /** Makes them accept requests without ever answering. */
  die(): void;
  stop(): Promise<void>;
}

/** Returns challenges, and accepts everything else with 200. */
export async function startWebhookReceivers(count: number): Promise<WebhookReceivers> {
  const seen = new Set<string>();
  let repeated = 0;

  function take(text: string, response: ServerResponse, those: Silence): void {
    // First of all, because the following time is the receiver's own.
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
    // From the sender of an earlier receiver on this port.
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
