import { signRequest } from '@hearth/http-signatures';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { HomeItemDecision, HomeRequestsService } from '@hearth/proto/federation/v1/items';
import { anonymous } from '@hearth/rpc';
import { type JsonObject, signRecord } from '@hearth/signing';
import { ids } from '@hearth/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judgeAnswer } from '../src/log/actions/answer.ts';
import { PushRefused, readPush } from '../src/log/actions/push.ts';
import { keyOf, listedKey, type OtherHome, startOtherHome } from './other-home.ts';
import { startHomes, type TestHome, type TestHomes } from './start-homes.ts';

const [key, foreign, next] = [keyOf(1), keyOf(2), keyOf(3)];
let homes: TestHomes;
let home: TestHome;
let stranger: OtherHome;
let seq = 0;
let epoch = 0;
let nonces = 0;
let made = 0;

beforeAll(async () => {
  homes = await startHomes(async (clock) => {
    stranger = await startOtherHome(clock);
    return [stranger.name];
  });
  home = homes.one;
  stranger.lists([listedKey(key, homes.clock), listedKey(next, homes.clock, { status: 'next' })], [key]);
  epoch = homes.clock.now() / 1_000;
});
afterAll(async () => {
  await homes.stop();
  await stranger.stop();
});
beforeEach(() => {
  home.given.splice(0);
  home.decides(() => ({ decision: HomeItemDecision.OK }));
});

const iso = (ms: number) => new Date(homes.clock.now() + ms).toISOString();
const days = 86_400_000;
const newNonce = () => {
  nonces += 1;
  return String(nonces).padStart(22, 'A');
};

function message(over: JsonObject = {}, by = key): JsonObject {
  seq += 1;
  made += 1;
  const item = {
    ...{ v: 1, type: 'message', id: `r:${stranger.name}:msg_${made}`, rev: 1, seq },
    ...{ origin: stranger.name, destination: home.name, from: `eve.ai-x@${stranger.name}` },
    sender: { id: 'ai_1', kind: 'ai', name: 'X', name_verified: false, status: 'unclaimed' },
    to: [`bea@${home.name}`],
    ...{ issued_at: iso(0), expires_at: iso(14 * days) },
    body: { thread: `r:${stranger.name}:thr_1`, text: 'Hi', request_kind: 'other' },
    ...over,
  };
  return signRecord(item, { key: by, typ: 'svc-envelope+jws' }) as unknown as JsonObject;
}

interface Sending {
  change?: (headers: Record<string, string>) => Record<string, string>;
  now?: number;
  nonce?: string;
  by?: typeof key;
  /** After it was changed on the way, once signed. */
  sent?: string;
}

async function post(
  body: string,
  { change, now = homes.clock.now(), nonce = newNonce(), by = key, sent = body }: Sending = {},
) {
  const target = `http://${home.name}/federation/inbox`;
  const bytes = Buffer.from(body);
  const signed = signRequest(
    { method: 'POST', target, origin: stranger.name, destination: home.name, body: bytes },
    { key: by, now, nonce },
  );
  const answer = await fetch(target, { method: 'POST', headers: change?.(signed) ?? signed, body: sent });
  return {
    status: answer.status,
    docSeq: answer.headers.get('home-doc'),
    ...((await answer.json()) as JsonObject),
  };
}

const bodyOf = (items: unknown[], over: object = {}) =>
  JSON.stringify({ v: 1, origin: stranger.name, destination: home.name, epoch, items, ...over });
const push = (items: unknown[], over: object = {}, sending: Sending = {}) =>
  post(bodyOf(items, over), sending);

/** Returns the answer to a single pushed item. */
async function resultOf(item: JsonObject) {
  const { results } = (await push([item])) as unknown as { results: { status: string; code?: string }[] };
  return results?.[0]?.code ?? results?.[0]?.status;
}

describe('the limit of requests a minute', () => {
  const limit = 3;
  let bounded: TestHomes;
  let nonce = 0;

  beforeAll(async () => {
    const env = { HEARTH_LIMITS: JSON.stringify({ home_requests_a_minute: limit }) };
    bounded = await startHomes(async () => [stranger.name], env);
  });
  afterAll(() => bounded.stop());

  /** Fetches this home's log as another home. */
  async function ask(network: string, headers: Record<string, string> = {}) {
    nonce += 1;
    const { one, clock } = bounded;
    const target = `http://${one.name}/federation/items?epoch=0&after=0`;
    const by = { key, now: clock.now(), nonce: String(nonce).padStart(22, 'B') };
    const signed = signRequest({ method: 'GET', target, origin: stranger.name, destination: one.name }, by);
    const lines = Object.entries({ ...signed, ...headers }).map(([name, value]) => ({ name, value }));
    const answer = await one.service.client(HomeRequestsService).serveHomeRequest(
      {
        ...{ method: 'GET', path: '/items?epoch=0&after=0', headers: lines },
        ...{ body: Buffer.alloc(0), network },
      },
      { caller: anonymous },
    );
    const { value: retryAfter } = answer.headers.find(({ name }) => name === 'retry-after') ?? {};
    return { status: answer.status, retryAfter, ...JSON.parse(Buffer.from(answer.body).toString()) };
  }
  const inVain = {
    status: 429,
    code: 'too_many',
    error: expect.stringContaining('home_requests_a_minute'),
    retryAfter: expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
  };

  test('is in the home document, and holds for a home from any network, with a Retry-After', async () => {
    const { json } = await bounded.one.service
      .client(FederationService)
      .getHomeDocument({}, { caller: anonymous });
    expect(JSON.parse(json).federation.limits).toMatchObject({ requests_a_minute: limit });
    for (let asked = 0; asked < limit; asked += 1)
      expect(await ask(`198.51.${asked}.0/24`)).toMatchObject({ status: 200, items: [] });
    expect(await ask('198.51.100.0/24')).toMatchObject(inVain);
  });

  test('refuses a network before its signatures are checked', async () => {
    const forged = { signature: `home=:${Buffer.alloc(64).toString('base64')}:` };
    for (let asked = 0; asked < limit; asked += 1)
      expect(await ask('192.0.2.0/24', forged)).toMatchObject({ status: 401, code: 'bad_signature' });
    expect(await ask('192.0.2.0/24', forged)).toMatchObject(inVain);
  });
});

describe('a request', () => {
  test('that is valid is answered, with the number of the home document', async () => {
    const answer = await push([message()]);
    expect(answer).toMatchObject({ status: 200, epoch, seq, results: [{ rev: 1, status: 'ok' }] });
    expect(Number(answer.docSeq)).toBeGreaterThan(0);
  });

  test.each<[string, number, string, Sending]>([
    ['signed with an unlisted key', 401, 'unknown_key', { by: foreign }],
    ['signed with a key that is not active yet', 401, 'unknown_key', { by: next }],
    ['dated ten minutes ahead', 401, 'clock', { now: Date.parse('2026-03-01T12:10:00Z') }],
    ['dated ten minutes ago', 401, 'clock', { now: Date.parse('2026-03-01T11:50:00Z') }],
    [
      'for another home',
      421,
      'wrong_destination',
      { change: (headers) => ({ ...headers, 'home-destination': 'c.example' }) },
    ],
    [
      'that is compressed',
      415,
      'unsupported_media_type',
      { change: (headers) => ({ ...headers, 'content-encoding': 'gzip' }) },
    ],
    [
      'with the signature of another request',
      401,
      'bad_signature',
      { change: (headers) => ({ ...headers, signature: `home=:${Buffer.alloc(64).toString('base64')}:` }) },
    ],
    [
      'of another version',
      401,
      'bad_signature',
      { change: (headers) => ({ ...headers, 'home-version': '2' }) },
    ],
  ])('%s is refused', async (_, status, code, sending) => {
    expect(await push([message({}, sending.by ?? key)], {}, sending)).toMatchObject({ status, code });
    seq -= 1;
  });

  test('with a used nonce is refused, and accepted with a new one', async () => {
    const nonce = newNonce();
    const items = [message()];
    expect(await push(items, {}, { nonce })).toMatchObject({ status: 200 });
    expect(await push(items, {}, { nonce })).toMatchObject({ status: 401, code: 'replayed' });
    expect(await push(items)).toMatchObject({ status: 200, results: [{ status: 'dup' }] });
    expect(home.given).toHaveLength(1);
  });

  test('beside four others in progress is refused, and accepted once one of them is done', async () => {
    const body = bodyOf([message()]);
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const lock = home.service.database.transaction(async (tx) => {
      await tx.execute({ text: 'lock table federation.received_items in access exclusive mode' });
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const answers = Array.from({ length: 5 }, () => post(body));
    const refused = await Promise.race(answers);
    held.resolve();
    await lock;
    const all = await Promise.all(answers);
    expect(refused).toMatchObject({ status: 429, code: 'too_many' });
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429]);
    expect(await post(body)).toMatchObject({ status: 200 });
    expect(home.given).toHaveLength(1);
  });

  test('that is larger than 256 KiB is refused', async () => {
    expect(await post(' '.repeat(262_145))).toMatchObject({ status: 413, code: 'too_large' });
  });

  test('to another path or by another method is not found', async () => {
    expect((await fetch(`http://${home.name}/federation/else`)).status).toBe(404);
    expect((await fetch(`http://${home.name}/federation/inbox`)).status).toBe(405);
  });
});

describe('a push', () => {
  test.each<[string, string, () => string]>([
    ['is no JSON', 'bad_json', () => '{'],
    ['has a member twice', 'bad_json', () => `{"v":1,"v":1}`],
    ['is no object', 'bad_batch', () => '[]'],
    ['has another version', 'bad_batch', () => bodyOf([message()], { v: 2 })],
    ['has another origin', 'bad_batch', () => bodyOf([message()], { origin: 'c.example' })],
    ['is for another home', 'bad_batch', () => bodyOf([message()], { destination: 'c.example' })],
    ['has no items', 'bad_batch', () => bodyOf([])],
    ['has too many items', 'bad_batch', () => bodyOf(Array.from({ length: 201 }, () => message()))],
    ['has an epoch far in the future', 'bad_batch', () => bodyOf([message()], { epoch: epoch + 301 })],
    ['has a gap', 'bad_batch', () => bodyOf([message(), message({ seq: seq + 2 })])],
    ['begins at 0', 'bad_batch', () => bodyOf([message({ seq: 0 })])],
    ['has an invalid item', 'bad_item', () => bodyOf([1])],
    ['has a fraction in an item', 'bad_item', () => bodyOf([message()]).replace('"rev":1', '"rev":1.5')],
  ])('that %s is refused', async (_, code, body) => {
    const before = seq;
    expect(await post(body())).toMatchObject({ status: 400, code, ...(code === 'bad_item' && { index: 0 }) });
    seq = before;
  });

  test('out of step is answered with the end of the log', async () => {
    const stands = { status: 409, code: 'out_of_step', epoch, seq };
    expect(await push([message({ seq: seq + 2 })])).toMatchObject(stands);
    seq -= 1;
    expect(await push([message()], { epoch: epoch - 1 })).toMatchObject(stands);
    seq -= 1;
    expect(await push([message()], { epoch: epoch + 1 })).toMatchObject(stands);
    seq -= 1;
  });

  test('with a higher epoch starts at 1', async () => {
    epoch += 1;
    seq = 0;
    expect(await push([message({ id: `r:${stranger.name}:msg_e1` })])).toMatchObject({
      status: 200,
      epoch,
      seq: 1,
    });
  });
});

describe('an item', () => {
  test.each<[string, string, () => JsonObject]>([
    ['signed with another key', 'bad_signature', () => message({}, foreign)],
    ['that was changed', 'bad_signature', () => ({ ...message(), rev: 7 })],
    ['without a signature', 'bad_signature', () => ({ ...message(), signature: null })],
    ['of another origin', 'wrong_origin', () => message({ origin: 'c.example' })],
    ['under the id of another home', 'wrong_origin', () => message({ id: 'r:c.example:msg_1' })],
    ['from another home', 'wrong_origin', () => message({ from: 'eve@c.example' })],
    ['for another home', 'wrong_destination', () => message({ destination: 'c.example' })],
    ['that expired', 'expired', () => message({ issued_at: iso(-3_600_000), expires_at: iso(-1_000) })],
    ['dated in the future', 'clock', () => message({ issued_at: iso(301_000) })],
    ['of an unknown type', 'unknown_type', () => message({ type: 'letter' })],
    ['with too long a lifetime', 'schema', () => message({ expires_at: iso(14 * days + 1_000) })],
    ['without a time', 'schema', () => message({ issued_at: '2026-02-30T00:00:00Z' })],
    ['without recipients', 'schema', () => message({ to: [] })],
    ['to another home', 'schema', () => message({ to: ['bea@c.example'] })],
    ['with a duplicate recipient', 'schema', () => message({ to: [`bea@${home.name}`, `bea@${home.name}`] })],
    ['with capitals in an address', 'schema', () => message({ to: [`Bea@${home.name}`] })],
    ['without a sender', 'schema', () => message({ sender: 'eve' })],
    ['of rev 0', 'schema', () => message({ rev: 0 })],
    ['with an id that Postgres refuses as text', 'schema', () => message({ id: 'r:\0' })],
    [
      'with a thread that Postgres refuses as text',
      'schema',
      () => message({ body: { thread: 'r:\0', text: '' } }),
    ],
    ['without a thread', 'schema', () => message({ body: { text: 'Hi' } })],
    [
      'with a state of an unknown kind',
      'schema',
      () => message({ type: 'state', body: { kind: 'x', object: {} } }),
    ],
    [
      'with an act that does not travel',
      'unknown_operation',
      () =>
        message({
          type: 'act',
          body: {
            on: `r:${home.name}:apr_1`,
            operation: 'sign_up',
            request: {},
            by: 'ai',
            proof: 'key',
            via: 'api',
          },
        }),
    ],
    [
      'with the result of an act of another home',
      'wrong_destination',
      () => message({ type: 'result', body: { act: 'r:c.example:act_1', status: 200 } }),
    ],
    [
      'that erases an item of another home',
      'wrong_origin',
      () => message({ type: 'erased', body: { id: 'r:c.example:msg_1', rev: 2 } }),
    ],
    [
      'that is too large',
      'too_large',
      () =>
        message({
          body: { thread: `r:${stranger.name}:t`, text: 'x'.repeat(65_000), request_kind: 'other' },
        }),
    ],
  ])('%s is refused', async (_, code, item) => {
    expect(await resultOf(item())).toBe(code);
    expect(home.given).toEqual([]);
  });

  test('with an invalid form is refused with the member and the rule', async () => {
    const sender = { id: 'ai_1', kind: 'ai', name: 'X', name_verified: false, status: 'boss' };
    const { results } = (await push([message({ sender })])) as unknown as { results: JsonObject[] };
    expect(results[0]).toMatchObject({ status: 'rejected', code: 'schema', path: 'sender.status' });
    expect(results[0]!['rule']).toBe('must be person, claimed, vouched or unclaimed');
    // The service that handles the kind reports other faults.
    home.decides(() => {
      const fault = { path: 'body.object.members', rule: 'must be at most 100' };
      return { decision: HomeItemDecision.REJECTED, code: 'schema', ...fault };
    });
    const id = `r:${stranger.name}:apr_wrong`;
    const state = message({ type: 'state', id, body: { kind: 'ask', object: { id } } });
    const refused = (await push([state])) as unknown as { results: JsonObject[] };
    expect(refused.results[0]).toMatchObject({ path: 'body.object.members', rule: 'must be at most 100' });
  });

  test('of a known kind of state goes to its service, and an older state is dup', async () => {
    const id = `r:${stranger.name}:apr_1`;
    const state = (rev: number) => message({ type: 'state', id, rev, body: { kind: 'ask', object: { id } } });
    expect([await resultOf(state(2)), await resultOf(state(1)), await resultOf(state(3))]).toEqual([
      'ok',
      'dup',
      'ok',
    ]);
    expect(home.given.map(({ rev }) => Number(rev))).toEqual([2, 3]);
    // Equal except for its number and times; then different content under the same rev.
    expect(await resultOf(state(3))).toBe('dup');
    const forked = message({ type: 'state', id, rev: 3, body: { kind: 'ask', object: { id, title: 'x' } } });
    expect(await resultOf(forked)).toBe('conflict');
  });

  test('that was erased stays erased', async () => {
    const id = `r:${stranger.name}:msg_gone`;
    const erased = () =>
      message({
        ...{ type: 'erased', id: `r:${stranger.name}:era_${ids.uuid()}`, to: [] },
        body: { id, rev: 2 },
      });
    expect(await resultOf(message({ id }))).toBe('ok');
    expect(await resultOf(erased())).toBe('ok');
    expect(home.given.map(({ bodyJson }) => JSON.parse(bodyJson).id)).toEqual([undefined, id]);
    expect(await resultOf(message({ id, rev: 3 }))).toBe('erased');
  });

  test('to people who do not know the sender counts as first contact for its domain', async () => {
    const left = async () => {
      expect(await resultOf(message())).toBe('ok');
      return home.firstContactsLeft();
    };
    home.decides(() => ({ decision: HomeItemDecision.OK, firstContacts: 7 }));
    const before = await left();
    expect([await left(), await left()]).toEqual([before - 7, before - 14]);
  });
});

// 100,000 by hand: HEARTH_PUSHES=100000 npm test -- services/federation/test/inbox -t 'in any order'
const pushes = Number(process.env['HEARTH_PUSHES'] ?? 100);

test(
  'pushes repeated in any order, cut off or altered deliver each item once, in order',
  async () => {
    const items: JsonObject[] = [];
    const first = seq + 1;
    let chance = 7;
    const draw = (below: number) => {
      chance = (Math.imul(chance, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (chance >> 8) % below;
    };
    const statuses: Record<number, number> = {};
    for (let count = 0; count < pushes; count += 1) {
      while (items.length < count / 3 + 2) items.push(message());
      const from = Math.max(0, items.length - 1 - draw(8));
      const body = bodyOf(items.slice(from, from + 1 + draw(6)));
      const at = draw(body.length);
      const sent = [body, body, body.slice(0, at), body.slice(0, at) + body.slice(at + 1)][draw(4)]!;
      const { status } = await post(body, { sent });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    const answer = await push(items.slice(-50));
    expect(answer.status).toBe(200);
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '401']));
    const given = home.given.map(({ id }) => id);
    expect(new Set(given).size).toBe(given.length);
    const order = items.map(({ id }) => id as string);
    expect(given).toEqual(order.filter((id) => given.includes(id)));
    expect(given).toEqual(order);
    expect(seq - first + 1).toBe(items.length);
  },
  pushes * 1_000 + 30_000,
);

describe('arbitrary bytes', () => {
  const good = { v: 1, origin: 'a.example', destination: 'b.example', epoch: 1, items: [{ seq: 1, rev: 1 }] };
  const text = JSON.stringify(good);
  const mutated = fc
    .tuple(fc.nat(text.length), fc.nat(6), fc.string({ maxLength: 4 }))
    .map(([at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut));

  test('are a push, or refused with an error', () => {
    fc.assert(
      fc.property(mutated, (body) => {
        try {
          readPush(Buffer.from(body), { origin: 'a.example', home: 'b.example', now: 1_000 });
        } catch (error) {
          expect(error).toBeInstanceOf(PushRefused);
        }
      }),
      { numRuns: 30_000 },
    );
  });

  test('are an answer, or none', () => {
    const sent = { epoch: 1, items: [{ id: 'r:a.example:1', rev: 1, seq: 1 }] };
    const answer = '{"epoch":1,"seq":1,"results":[{"id":"r:a.example:1","rev":1,"status":"ok"}]}';
    fc.assert(
      fc.property(
        fc.nat(answer.length),
        fc.nat(6),
        fc.string({ maxLength: 4 }),
        fc.constantFrom(200, 400, 409),
        (at, cut, put, status) => {
          const body = Buffer.from(answer.slice(0, at) + put + answer.slice(at + cut));
          expect(judgeAnswer(sent, { status, body, retryAfterMs: null }).what).toBeDefined();
        },
      ),
      { numRuns: 30_000 },
    );
  });
});
