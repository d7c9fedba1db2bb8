import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportPublicJwk, keyPairFromSeed, signRecord } from '@hearth/signing';
import { type Silence, startSilentServers, withBody } from './silent-servers.ts';

/** Other homes on this machine, by their documents and inboxes alone: they take every item. */
export interface StandInHomes {
  readonly names: readonly string[];
  /** How long ago each item was issued when it came, in milliseconds; those since the last call. */
  takeLags(): number[];
  /** How many items came. */
  arrived(): number;
  /** From now on they take what comes and never answer. */
  die(): void;
  stop(): Promise<void>;
}

const hour = 3_600_000;
const key = keyPairFromSeed(Buffer.alloc(32, 5));
const limits = {
  ...{ max_request: 262_144, max_item: 65_536, max_items: 200, max_at_once: 4 },
  requests_a_minute: 1_000_000,
};

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
    if (request.method === 'GET') return void response.end(documentOf(request.headers.host!));
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

function documentOf(home: string): string {
  const now = Date.now();
  const iso = (ms: number) => new Date(now + ms).toISOString();
  const content = {
    ...{ v: 1, home, doc_seq: Math.floor(now / 1_000), issued_at: iso(0), valid_until: iso(24 * hour) },
    federation: { endpoint: `http://${home}/federation`, versions: ['1'], mode: 'open', limits },
    keys: [
      { ...exportPublicJwk(key), uses: ['record', 'request'], status: 'active', not_before: iso(-hour) },
    ],
  };
  return JSON.stringify(signRecord(content, { key, typ: 'svc-home+jws' }));
}
