import { randomBytes } from 'node:crypto';
import { signRequest } from '@hearth/http-signatures';
import { homeRoutes, pointsOfStrangersActs } from '@hearth/limits';
import { type JsonObject, keyPairFromSeed, signRecord } from '@hearth/signing';
import { freePort } from '@hearth/testkit/free-port';
import { standInDocument } from '@hearth/testkit/stand-in-document';
import { type SilentServers, startSilentServers } from '../silent-servers.ts';
import type { Probe, Uses, WireRequest } from './probe.ts';

/** By route; `other` for unknown paths. */
export type HomeProbes = Record<keyof typeof homeRoutes | 'other', Probe[]>;

/** A remote home unknown to this one, and new names for it; each has a document with the maximum number of keys. */
export interface Stranger {
  names: readonly string[];
  /** @param known an address of the attacked home */
  probes(home: string, known: string): HomeProbes;
  stop(): Promise<void>;
}

/** The number of names never seen before; each is new only once. */
const newNames = 40;
const mostKeys = 150;
const hour = 3_600_000;
const keyOf = (number: number) => {
  const seed = Buffer.alloc(32, 7);
  seed.writeUInt32BE(number);
  return keyPairFromSeed(seed);
};
const key = keyOf(0);
const others = Array.from({ length: mostKeys - 1 }, (_, number) => keyOf(number + 1));
const requestsAMinute = 1_800;

export async function startStranger(): Promise<Stranger> {
  const servers: SilentServers = await startSilentServers(newNames + 3, (request, response) =>
    response.end(standInDocument(request.headers.host!, [key, ...others], requestsAMinute)),
  );
  const names = servers.ports.map((port) => `localhost:${port}`);
  const absent = `localhost:${await freePort()}`;
  return {
    names: [...names, absent],
    probes: (home, known) => probesOf({ names, absent, home, known }),
    stop: servers.stop,
  };
}

interface Between {
  names: readonly string[];
  absent: string;
  home: string;
  known: string;
}

export function probesOf({ names, absent, home, known }: Between): HomeProbes {
  const origin = names[0]!;
  const epoch = Math.floor(Date.now() / 1_000);
  let seq = 0;
  let number = 0;
  const asked: Uses = { home_requests_a_minute: 1 };
  const checked: Uses = { ...asked, stranger_requests_a_minute: 1 };
  const pushed: Uses = { ...asked, stranger_requests_a_minute: homeRoutes.inbox.points! };
  const ofCard: Uses = { ...asked, stranger_requests_a_minute: homeRoutes.card.points! };
  const items = (count: number, name: string): Uses => ({
    ...asked,
    stranger_requests_a_minute:
      homeRoutes.inbox.points! + (name === 'act' ? pointsOfStrangersActs(count) : 0),
    stranger_items_a_minute: count,
    home_items_a_day: count,
  });

  function request(
    method: 'GET' | 'POST',
    path: string,
    content?: unknown,
    from = origin,
    by = key,
  ): WireRequest {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const body = content === undefined ? undefined : Buffer.from(text);
    const headers = signRequest(
      {
        ...{ method, target: `http://${home}/federation${path}`, origin: from, destination: home },
        ...(body !== undefined && { body }),
      },
      { key: by, now: Date.now(), nonce: randomBytes(16).toString('base64url') },
    );
    return {
      method,
      path: `/federation${path}`,
      headers: { ...headers, host: home },
      ...(body !== undefined && { body }),
    };
  }

  function item(more: object, at: number): JsonObject {
    const now = Date.now();
    number += 1;
    const unsigned = {
      ...{ v: 1, id: `r:${origin}:it_${epoch}_${number}`, rev: 1, seq: at, origin, destination: home },
      ...{ issued_at: new Date(now).toISOString(), expires_at: new Date(now + 14 * 24 * hour).toISOString() },
      ...more,
    };
    return signRecord(unsigned as JsonObject, { key, typ: 'svc-envelope+jws' }) as unknown as JsonObject;
  }
  const push = (these: readonly JsonObject[]) =>
    request('POST', '/inbox', { v: 1, origin, destination: home, epoch, items: these });
  const taken = (count: number, of: () => object) => () =>
    push(Array.from({ length: count }, () => item(of(), ++seq)));

  const sender = { id: 'per_1', kind: 'person', name: 'Eve', name_verified: true, status: 'person' };
  const by = { from: `eve@${origin}`, sender };
  const kinds: Record<string, () => object> = {
    erased: () => ({ type: 'erased', body: { id: `r:${origin}:msg_${number}`, rev: 2 } }),
    notice: () => ({ type: 'notice', body: { kind: 'weather' } }),
    result: () => ({ type: 'result', body: { act: `r:${home}:act_${number}`, status: 200 } }),
    act: () => ({
      ...{ type: 'act', ...by },
      body: {
        ...{
          on: `r:${home}:apr_${number.toString(16).padStart(32, '0')}`,
          operation: 'reply_approval',
          request: {},
        },
        ...{ by: 'person', proof: 'tap', via: 'web' },
      },
    }),
    message: () => ({ type: 'message', ...by, to: [known], body: { text: 'é'.repeat(200) } }),
    'message to no one': () => ({ type: 'message', ...by, to: ['@nobody-has-it'], body: { text: 'Hello' } }),
  };
  const wide: Record<string, unknown> = {
    'empty objects': Array.from({ length: 80_000 }, () => ({})),
    members: Object.fromEntries(Array.from({ length: 14_000 }, (_, index) => [`member${index}`, index])),
    'long text': 'é'.repeat(120_000),
  };
  const post = (name: string, uses: Uses, make: () => WireRequest, more: Partial<Probe> = {}): Probe => ({
    ...{ name: `POST /federation/inbox: ${name}`, uses, make, ...more },
  });
  const far = Array.from({ length: 200 }, (_, index) =>
    item({ type: 'notice', body: { kind: 'x'.repeat(800) } }, 900_000 + index),
  );
  let [turn, comes] = [0, 0];
  return {
    items: [
      { name: 'GET /federation/items', uses: checked, make: () => request('GET', '/items?epoch=0&after=0') },
    ],
    card: [
      {
        name: 'GET /federation/cards/{an AI}',
        uses: ofCard,
        make: () => request('GET', `/cards/${encodeURIComponent(known)}`),
      },
      {
        name: 'GET /federation/cards/{an AI}?for={never met}',
        uses: ofCard,
        make: () =>
          request(
            'GET',
            `/cards/${encodeURIComponent(known)}?for=${encodeURIComponent(`x${++turn}@${origin}`)}`,
          ),
      },
      {
        name: 'GET /federation/cards/{no one}',
        uses: ofCard,
        make: () => request('GET', `/cards/${encodeURIComponent(`@nobody-${++turn}`)}`),
      },
    ],
    peek: [
      {
        name: 'POST /federation/invites/peek: a wrong code',
        uses: { ...checked, wrong_codes_a_minute: 1 },
        make: () => request('POST', '/invites/peek', { code: `wrong-${++turn}` }),
      },
    ],
    inbox: [
      ...Object.entries(kinds).flatMap(([name, of]) => [
        post(`one ${name}`, items(1, name), taken(1, of), { inOrder: true }),
        post(`200 of ${name}`, items(200, name), taken(200, of), { inOrder: true, most: 12 }),
      ]),
      post(
        '200 with a bad signature',
        items(200, 'notice'),
        () => push(Array.from({ length: 200 }, () => ({ ...item(kinds['notice']!(), ++seq), rev: 2 }))),
        { inOrder: true, most: 12 },
      ),
      post('200 out of step', pushed, () => push(far)),
      ...Object.entries(wide).map(([name, of]) =>
        post(name, pushed, () =>
          request('POST', '/inbox', {
            v: 1,
            origin,
            destination: home,
            epoch,
            items: [{ seq: 900_000, of }],
          }),
        ),
      ),
      post('changed after it was signed, a long body', asked, () => ({
        ...request('POST', '/inbox', wide['long text']),
        body: Buffer.from(JSON.stringify('e'.repeat(240_000))),
      })),
      post('signed by another key', asked, () => {
        const { headers, ...signed } = request('POST', '/inbox', {});
        const { signature } = request('POST', '/inbox', {}).headers!;
        return { ...signed, headers: { ...headers, signature: signature! } };
      }),
      post('a key that is not listed', asked, () => request('POST', '/inbox', {}, names[1], keyOf(200))),
      post(
        'a key that is fetched',
        { ...asked, home_refetches_a_minute: 1 },
        () => request('POST', '/inbox', {}, names[names.length - 1], keyOf(200)),
        { most: 3 },
      ),
      post(
        'a home never seen',
        { ...asked, home_fetches_a_minute: 1 },
        () => request('POST', '/inbox', {}, names[2 + (comes++ % newNames)]),
        {
          most: 12,
        },
      ),
      post('a home that is not there', asked, () => request('POST', '/inbox', wide['long text'], absent)),
      post('unsigned, a long body', { unproven_requests_a_minute: 1 + Math.floor(260_000 / 4_096) }, () => ({
        method: 'POST',
        path: '/federation/inbox',
        body: Buffer.alloc(260_000, 120),
      })),
    ],
    other: [{ name: 'GET /federation/nothing', uses: {}, make: () => request('GET', '/nothing') }],
  };
}
