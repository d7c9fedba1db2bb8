import { badField } from '@hearth/errors';
import { Via } from '@hearth/proto/common/v1/caller';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import { eventually } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { credentialsSignal } from '../src/credentials/resolver.ts';
import { aiId, anAi } from './support/peers.ts';
import { ask, keptAgent } from './support/request.ts';
import { useGateways } from './support/use-gateways.ts';

const key = 'key-of-robin';
const start = useGateways();

describe('a declared operation', () => {
  test("gets the request's fields, on behalf of its caller", async () => {
    const seen: { request: unknown; caller: Caller; service: string }[] = [];
    const home = await start({
      messages: {
        sendMessage: async (request, { caller, service }) => {
          seen.push({ request, caller, service });
          return { id: 'msg_1', text: request.text };
        },
      },
    });
    const body = { to: '@ann', text: 'Grüße 👋', data: { a: [1, 2.5, { b: null }] }, request_id: 'x-1' };
    const answer = await ask(home.url, '/v0/messages', { key, body });
    expect(answer).toMatchObject({ status: 201, json: { id: 'msg_1', text: 'Grüße 👋', retracted: false } });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(answer.text)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['x-powered-by']).toBeUndefined();
    expect(seen).toMatchObject([
      {
        request: { to: '@ann', text: 'Grüße 👋', data: { a: [1, 2.5, { b: null }] }, requestId: 'x-1' },
        caller: {
          kind: CallerKind.AI,
          id: aiId,
          address: anAi.address,
          network: '127.0.0.0/24',
          via: Via.API,
        },
        service: 'gateway',
      },
    ]);
  });

  test('gets decoded path parameters, and the idempotency key from the header', async () => {
    const requests: unknown[] = [];
    const home = await start({
      profile: {
        getCard: async (request) => {
          requests.push(request);
          return { address: request.address };
        },
      },
      messages: {
        sendMessage: async (request) => {
          requests.push(request);
          return {};
        },
      },
    });
    for (const path of ['@robin', '@free-x.ai-y', '&group', 'a@b', '%40robin'])
      await ask(home.url, `/v0/cards/${path}`, { key });
    await ask(home.url, '/v0/messages', {
      key,
      body: { text: 'a' },
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k-1' },
    });
    const addresses = ['@robin', '@free-x.ai-y', '&group', 'a@b', '@robin'];
    expect(requests).toMatchObject([...addresses.map((address) => ({ address })), { requestId: 'k-1' }]);
  });

  test('answers with another status if its handler sets one', async () => {
    const home = await start({
      messages: {
        sendMessage: async (_, call) => {
          call.answerWith(200);
          return {};
        },
      },
    });
    expect((await ask(home.url, '/v0/messages', { key, body: { text: 'a' } })).status).toBe(200);
  });

  test('needs no key if declared so, but refuses an invalid key even then', async () => {
    const home = await start({
      identity: { signUp: async ({ name }) => ({ address: `@free-1.ai-${name}` }) },
    });
    const answer = await ask(home.url, '/v0/agents', { body: { name: 'robin' } });
    expect(answer).toMatchObject({ status: 201, json: { address: '@free-1.ai-robin' } });
    expect((await ask(home.url, '/v0/agents', { key: 'wrong', body: { name: 'robin' } })).status).toBe(401);
  });

  test('answers HEAD like GET without the body', async () => {
    const home = await start({ profile: { whoami: async () => ({ address: '@robin' }) } });
    const [get, head] = [
      await ask(home.url, '/v0/me', { key }),
      await ask(home.url, '/v0/me', { key, method: 'HEAD' }),
    ];
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      get.headers['content-length'],
    ]);
  });
});

describe('an entity tag', () => {
  test('spares the body while the answer is the same, by header or by `if`', async () => {
    let name = 'Robin';
    const home = await start({ profile: { getCard: async () => ({ name }) } });
    const first = await ask(home.url, '/v0/cards/@robin', { key });
    const etag = first.headers.etag as string;
    const again = await ask(home.url, '/v0/cards/@robin', { key, headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    expect((await ask(home.url, `/v0/cards/@robin?if=${encodeURIComponent(etag)}`, { key })).status).toBe(
      304,
    );
    expect((await ask(home.url, `/v0/cards/@robin?if=${etag.replaceAll('"', '')}`, { key })).status).toBe(
      304,
    );
    name = 'Robin the second';
    const changed = await ask(home.url, '/v0/cards/@robin', { key, headers: { 'if-none-match': etag } });
    expect([changed.status, changed.json.name]).toEqual([200, name]);
  });

  test("gives way to the handler's own decision", async () => {
    const home = await start({
      profile: {
        getCard: async (_, call) => {
          call.answerWith(304);
          return {};
        },
      },
    });
    const answer = await ask(home.url, '/v0/cards/@robin', { key });
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', undefined]);
  });

  test('may be cached as long as its operation declares, only by the caller', async () => {
    const home = await start({ profile: { getCard: async () => ({}), whoami: async () => ({}) } });
    for (const [path, expected] of [
      ['/v0/cards/@robin', 'private, max-age=300'],
      ['/v0/me', 'private, no-cache'],
    ] as const) {
      const { headers } = await ask(home.url, path, { key });
      const again = await ask(home.url, path, { key, headers: { 'if-none-match': headers.etag! } });
      expect([path, headers['cache-control'], again.status, again.headers['cache-control']]).toEqual([
        path,
        expected,
        304,
        expected,
      ]);
    }
    const refused = await ask(home.url, '/v0/cards/@robin');
    expect([refused.status, refused.headers['cache-control']]).toEqual([401, 'no-store']);
  });
});

test('a valid answer is cached until its topic wakes', async () => {
  let asked = 0;
  const home = await start({
    profile: {
      whoami: async (_, call) => {
        asked += 1;
        call.validFor(60_000, 'me');
        return { address: `@robin${asked}` };
      },
    },
  });
  const whoami = async () => (await ask(home.url, '/v0/me', { key })).json.address;
  await eventually(async () => {
    const first = await whoami();
    return (await whoami()) === first;
  });
  const before = asked;
  expect(await whoami()).toBe(`@robin${before}`);
  home.wake('me');
  await eventually(async () => (await whoami()) === `@robin${before + 1}`);
});

test('a credential that is revoked stops at once', async () => {
  let revoked = false;
  const home = await start({
    profile: { whoami: async () => ({}) },
    identity: {
      resolveCredential: async () => (revoked ? { refusal: 'key_revoked' } : { caller: anAi as Caller }),
    },
  });
  expect((await ask(home.url, '/v0/me', { key })).status).toBe(200);
  revoked = true;
  expect((await ask(home.url, '/v0/me', { key })).status).toBe(200);
  home.bus.signal(credentialsSignal, Buffer.from(aiId));
  await eventually(async () => (await ask(home.url, '/v0/me', { key })).status === 401);
  expect((await ask(home.url, '/v0/me', { key })).json.code).toBe('key_revoked');
});

test('sightings of AIs and uses of credentials are sent to identity when the process drains', async () => {
  const sightings: unknown[] = [];
  const home = await start({
    identity: {
      noteSeen: async (request) => {
        sightings.push(...request.sightings);
        return {};
      },
    },
    messages: { listMessages: async () => ({}) },
    keys: { [key]: anAi, person: { kind: CallerKind.PERSON, id: 'p', scopes: [Scope.READ] } },
  });
  const began = home.clock.now();
  for (const principal of [key, 'person']) await ask(home.url, '/v0/messages', { key: principal });
  await home.stop();
  expect(sightings).toMatchObject([
    { ai: aiId, waitedAt: 0n, credentialHash: { length: 32 } },
    { ai: '', credentialHash: { length: 32 } },
  ]);
  expect(Number((sightings[0] as { checkedAt: bigint }).checkedAt)).toBeGreaterThanOrEqual(began);
});

test('at debug each request is one line, without query, body or key', async () => {
  const home = await start({
    logLevel: 'debug',
    messages: {
      sendMessage: () => Promise.reject(badField('text', 'is bad')),
      listMessages: async () => ({}),
    },
  });
  await ask(home.url, '/v0/messages', { key, body: { text: 'the private text' } });
  await ask(home.url, '/v0/messages?from=@private', { key });
  const lines = home.logged
    .map((line) => JSON.parse(line) as { msg: string })
    .filter(({ msg }) => msg === 'answered');
  expect(lines).toMatchObject([
    { operation: 'send_message', method: 'POST', route: '/v0/messages', status: 400, ms: expect.any(Number) },
    { operation: 'list_messages', method: 'GET', route: '/v0/messages', status: 200 },
  ]);
  expect(home.logged.join('')).not.toMatch(/private|key-of/);
});

test('a refused body leaves the connection usable, unless it was not completely read', async () => {
  const home = await start({ messages: { sendMessage: async () => ({ id: 'msg_1' }) } });
  const agent = keptAgent();
  const statuses: number[] = [];
  const ports: (number | undefined)[] = [];
  for (const body of [{ text: 'x'.repeat(100_000) }, { text: 'a' }, { txt: 'b' }, { text: 'c' }]) {
    const { status, localPort } = await ask(home.url, '/v0/messages', { agent, key, body });
    statuses.push(status);
    ports.push(localPort);
  }
  agent.destroy();
  expect(statuses).toEqual([413, 201, 400, 201]);
  const [unread, ...others] = ports;
  expect([new Set(others).size, others.includes(unread)]).toEqual([1, false]);
});
