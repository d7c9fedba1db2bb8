import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@hearth/clock';
import { badField } from '@hearth/errors';
import { AiStatus, Via } from '@hearth/proto/common/v1/caller';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import { afterEach, describe, expect, test } from '@jest/globals';
import { credentialsSignal } from '../src/credentials/resolver.ts';
import { aiId, anAi } from './support/peers.ts';
import { ask } from './support/request.ts';
import {
  operatorKey,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from './support/test-gateway.ts';

const key = 'key-of-robin';
const running: TestGateway[] = [];
const agents: Agent[] = [];

async function start(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const home = await startTestGateway(options);
  running.push(home);
  return home;
}

afterEach(async () => {
  for (const home of running.splice(0)) await home.stop();
  for (const agent of agents.splice(0)) agent.destroy();
});

/** Keeps one connection, as clients do. */
function keptAgent(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

/** A request of the key's AI over the agent's connection. */
function askOver(agent: Agent, url: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise<{
    status: number;
    headers: IncomingHttpHeaders;
    text: string;
    localPort: number | undefined;
  }>((resolve, reject) => {
    const sent = request(`${url}${path}`, { agent, method, headers }, (response) => {
      const { localPort } = response.socket;
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, localPort }),
      );
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

describe('a declared operation', () => {
  test('gets what the request says, on behalf of who sent it', async () => {
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

  test('takes its path parameters decoded, and its idempotency key from the header', async () => {
    const requests: unknown[] = [];
    const home = await start({
      identity: {
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

  test('answers another status when its handler says so', async () => {
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

  test('needs no key where it says so, and refuses one that does not work even there', async () => {
    const home = await start({
      identity: { signUp: async ({ name }) => ({ address: `@free-1.ai-${name}` }) },
    });
    const answer = await ask(home.url, '/v0/agents', { body: { name: 'robin' } });
    expect(answer).toMatchObject({ status: 201, json: { address: '@free-1.ai-robin' } });
    expect((await ask(home.url, '/v0/agents', { key: 'wrong', body: { name: 'robin' } })).status).toBe(401);
  });

  test('answers HEAD like GET without the body', async () => {
    const home = await start({ identity: { whoami: async () => ({ address: '@robin' }) } });
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
    const home = await start({ identity: { getCard: async () => ({ name }) } });
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

  test('gives way to a handler that knows better', async () => {
    const home = await start({
      identity: {
        getCard: async (_, call) => {
          call.answerWith(304);
          return {};
        },
      },
    });
    const answer = await ask(home.url, '/v0/cards/@robin', { key });
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', undefined]);
  });
});

test('an answer that holds is given from memory until its topic is woken', async () => {
  let asked = 0;
  const home = await start({
    identity: {
      whoami: async (_, call) => {
        asked += 1;
        call.validFor(60_000, 'me');
        return { address: `@robin${asked}` };
      },
    },
  });
  for (let turn = 0; turn < 8; turn += 1) {
    await ask(home.url, '/v0/me', { key });
    await pause(10);
  }
  const before = asked;
  expect(before).toBeLessThan(8);
  expect((await ask(home.url, '/v0/me', { key })).json.address).toBe(`@robin${before}`);
  home.wake('me');
  await pause(20);
  expect((await ask(home.url, '/v0/me', { key })).json.address).toBe(`@robin${before + 1}`);
});

describe('a held request', () => {
  function mailbox() {
    const texts: string[] = [];
    const options: TestGatewayOptions = {
      messages: {
        listMessages: async ({ wait }, call) => {
          if (texts.length === 0 && wait > 0) call.waitOn('inbox');
          return { messages: texts.map((text) => ({ text })) };
        },
      },
    };
    return { texts, options };
  }

  test('is answered when its topic is woken', async () => {
    const { texts, options } = mailbox();
    const home = await start(options);
    const began = performance.now();
    const answer = ask(home.url, '/v0/messages?unread=true&wait=25', { key });
    await pause(200);
    texts.push('Hello');
    home.wake('inbox');
    expect((await answer).json).toMatchObject({ messages: [{ text: 'Hello' }] });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('is answered with what there is when the process drains, and the connection ends', async () => {
    const { options } = mailbox();
    const home = await start(options);
    const answer = askOver(keptAgent(), home.url, '/v0/messages?wait=25');
    await pause(100);
    const drained = home.drain();
    expect(await answer).toMatchObject({
      status: 200,
      text: expect.stringContaining('"messages":[]'),
      headers: { connection: 'close' },
    });
    await drained;
    await expect(ask(home.url, '/health')).rejects.toThrow('ECONNREFUSED');
  });

  test.each([
    ['/v0/me', 'an operation'],
    ['/.well-known/service.json', 'a document'],
  ])('leaves %s in hand its time when the process drains, and no longer', async (path) => {
    const home = await start({
      identity: { whoami: () => pause(150, {}) },
      federation: { getHomeDocument: () => pause(150, { json: '{}', etag: 'a' }) },
    });
    const answer = askOver(keptAgent(), home.url, path);
    await pause(50);
    const began = performance.now();
    await home.drain();
    expect((await answer).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test('and one too many answers the oldest', async () => {
    const { options } = mailbox();
    const home = await start({ ...options, env: { HEARTH_LIMITS: '{"open_waits": 2}' } });
    const order: number[] = [];
    for (const index of [0, 1, 2]) {
      void ask(home.url, '/v0/messages?wait=25', { key }).then(
        () => order.push(index),
        () => {},
      );
      await pause(60);
    }
    expect(order).toEqual([0]);
  });
});

describe('limits', () => {
  test('are counted by caller, told in every answer, and end in 429', async () => {
    const home = await start({
      identity: { whoami: async () => ({}) },
      keys: { [key]: anAi, other: { ...anAi, id: 'other' } },
      env: { HEARTH_LIMITS: '{"reads_a_minute": 2}' },
    });
    const first = await ask(home.url, '/v0/me', { key });
    expect(first.headers['ratelimit-policy']).toBe('"reads_a_minute";q=2;w=60');
    expect(first.headers.ratelimit).toMatch(/^"reads_a_minute";r=1;t=\d+$/);
    await ask(home.url, '/v0/me', { key });
    const refused = await ask(home.url, '/v0/me', { key });
    expect(refused).toMatchObject({ status: 429, json: { limit: 'reads_a_minute', code: 'rate_limited' } });
    expect(refused.json.error).toContain('reads_a_minute');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect(Date.parse(refused.json.resets_at as string)).toBeGreaterThan(Date.now());
    expect(refused.headers.ratelimit).toMatch(/;r=0;/);
    expect((await ask(home.url, '/v0/me', { key: 'other' })).status).toBe(200);
  });

  test('of sign-ups count by network, whoever sends them', async () => {
    const home = await start({
      identity: { signUp: async () => ({}) },
      env: { HEARTH_LIMITS: '{"sign_ups_an_hour": 2}' },
    });
    const statuses = [];
    for (const asker of [undefined, key, undefined]) {
      statuses.push(
        (await ask(home.url, '/v0/agents', { body: { name: 'a' }, ...(asker && { key: asker }) })).status,
      );
    }
    expect(statuses).toEqual([201, 201, 429]);
  });

  test('bound the guessing of keys, and leave those who have one alone', async () => {
    const home = await start({
      identity: { whoami: async () => ({}) },
      env: { HEARTH_LIMITS: '{"reads_a_minute": {"anyone": 3}}' },
    });
    const statuses = [];
    for (const index of [1, 2, 3, 4])
      statuses.push((await ask(home.url, '/v0/me', { key: `guess-${index}` })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await ask(home.url, '/v0/me', { key })).status).toBe(200);
  });

  test('are listed with what is left of them', async () => {
    const home = await start({
      keys: { [key]: { ...anAi, aiStatus: AiStatus.CLAIMED } },
      identity: { whoami: async () => ({}) },
    });
    const list = async (asker?: string) => {
      const { json } = await ask(home.url, '/v0/limits', asker === undefined ? {} : { key: asker });
      return Object.fromEntries((json.limits as { name: string }[]).map((limit) => [limit.name, limit]));
    };
    await ask(home.url, '/v0/me', { key });
    const { reads_a_minute: reads, body_bytes: body } = await list(key);
    expect(reads).toMatchObject({
      value: 600,
      unit: 'requests',
      window_seconds: 60,
      remaining: 598,
      resets_at: expect.any(String),
      by_caller: { anyone: 120, unclaimed: 120, vouched: 300, claimed: 600, app: 6_000 },
    });
    expect(body).toMatchObject({ value: 65_536, unit: 'bytes', by_caller: {} });
    expect((await list()).reads_a_minute).toMatchObject({ value: 120, remaining: 119 });
    expect((await list(operatorKey)).reads_a_minute).toMatchObject({ value: -1 });
  });
});

test('a credential that is revoked stops at once', async () => {
  let revoked = false;
  const home = await start({
    identity: {
      whoami: async () => ({}),
      resolveCredential: async () => (revoked ? { refusal: 'key_revoked' } : { caller: anAi as Caller }),
    },
  });
  expect((await ask(home.url, '/v0/me', { key })).status).toBe(200);
  revoked = true;
  expect((await ask(home.url, '/v0/me', { key })).status).toBe(200);
  home.bus.signal(credentialsSignal, Buffer.from(aiId));
  await pause(10);
  expect(await ask(home.url, '/v0/me', { key })).toMatchObject({
    status: 401,
    json: { code: 'key_revoked' },
  });
});

test('AIs that were seen are told to identity when the process drains', async () => {
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
  const began = systemClock.now();
  for (const asker of [key, 'person']) await ask(home.url, '/v0/messages', { key: asker });
  await home.drain();
  expect(sightings).toMatchObject([{ ai: aiId, waitedAt: 0n, credentialHash: { length: 32 } }]);
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
  const lines = home.lines
    .map((line) => JSON.parse(line) as { msg: string })
    .filter(({ msg }) => msg === 'answered');
  expect(lines).toMatchObject([
    { operation: 'send_message', method: 'POST', route: '/v0/messages', status: 400, ms: expect.any(Number) },
    { operation: 'list_messages', method: 'GET', route: '/v0/messages', status: 200 },
  ]);
  expect(home.lines.join('')).not.toMatch(/private|key-of/);
});

test('a refused body leaves the connection good for the next request', async () => {
  const home = await start({ messages: { sendMessage: async () => ({ id: 'msg_1' }) } });
  const agent = keptAgent();
  const statuses: number[] = [];
  const ports = new Set<number | undefined>();
  for (const body of [{ text: 'x'.repeat(100_000) }, { text: 'a' }, { txt: 'b' }, { text: 'c' }]) {
    const { status, localPort } = await askOver(agent, home.url, '/v0/messages', body);
    statuses.push(status);
    ports.add(localPort);
  }
  expect(statuses).toEqual([413, 201, 400, 201]);
  expect(ports.size).toBe(1);
});
