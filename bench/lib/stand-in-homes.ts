import type { IncomingMessage, ServerResponse } from 'node:http';
import { keyPairFromSeed } from '@hearth/signing';
import { standInDocument } from '@hearth/testkit/stand-in-document';
import { type Silence, startSilentServers, withBody } from './silent-servers.ts';

/** Remote homes on this machine, with only documents and inboxes; they accept every item. */
export interface StandInHomes {
  readonly names: readonly string[];
  /** The lags between issue and arrival of the items since the last call, in milliseconds. */
  takeLags(): number[];
  /** How many items arrived. */
  arrived(): number;
  /** Makes them accept items without ever answering. */
  die(): void;
  stop(): Promise<void>;
}

const key = keyPairFromSeed(Buffer.alloc(32, 5));
const requestsAMinute = 1_000_000;

export async function startStandInHomes(count: number): Promise<StandInHomes> {
  let arrived = 0;

  function take(body: string, response: ServerResponse, those: Silence): void {
    const now = performance.timeOrigin + performance.now();
    const { epoch, items } = JSON.parse(body) as {
      epoch: number;
      items: { id: string; rev: number; seq: number; issued_at: string }[];
    };
    arrived += items.length;
    those.addLags(...items.map((item) => now - Date.parse(item.issued_at)));
    const results = items.map(({ id, rev }) => ({ id, rev, status: 'ok' }));
    response.end(JSON.stringify({ epoch, seq: items.at(-1)!.seq, results }));
  }

  function answer(request: IncomingMessage, response: ServerResponse, those: Silence): void {
    if (those.dead()) return void those.keep(response);
    if (request.method === 'GET')
      return void response.end(standInDocument(request.headers.host!, [key], requestsAMinute));
    withBody(request, (body) => take(body, response, those));
  }

  const servers = await startSilentServers(count, answer);
  return {
    names: servers.ports.map((port) => `localhost:${port}`),
    takeLags: servers.takeLags,
    arrived: () => arrived,
    die: servers.die,
    stop: servers.stop,
  };
}
