import { AiStatus, type Caller } from '@hearth/proto/common/v1/caller';
import { HomeRequestsService } from '@hearth/proto/federation/v1/items';
import { CallerKind } from '@hearth/proto/options';
import { fake } from '@hearth/testkit';
import { assets } from '@hearth/web';
import { describe, expect, test } from '@jest/globals';
import { digestOf } from '../src/credentials/module.ts';
import { anAi } from './support/peers.ts';
import { ask } from './support/request.ts';
import { operatorKey } from './support/test-gateway.ts';
import { useGateways } from './support/use-gateways.ts';

const key = 'key-of-robin';
const start = useGateways();

describe('limits', () => {
  test('are counted by caller, reported in every answer, and end in 429', async () => {
    const home = await start({
      profile: { whoami: async () => ({}) },
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

  test("of reads count an answer's size: once more for each 64 KiB", async () => {
    const text = 'x'.repeat(70_000);
    const home = await start({
      messages: {
        getMessage: async () => ({ text }),
        listMessages: async () => ({ messages: [{ text }, { text }] }),
      },
      keys: { [key]: anAi },
      env: { HEARTH_LIMITS: '{"reads_a_minute": 8}' },
    });
    const left = async (path: string) => (await ask(home.url, path, { key })).headers.ratelimit;
    expect(await left(`/v0/messages/msg_${'0'.repeat(32)}`)).toMatch(/r=6;/);
    expect(await left('/v0/messages')).toMatch(/r=3;/);
    const tool = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_messages', arguments: {} },
    };
    // An answer that costs more than is left is still sent; the next request is refused.
    expect((await ask(home.url, '/mcp', { key, body: tool })).status).toBe(200);
    expect((await ask(home.url, '/v0/messages', { key })).status).toBe(429);
  });

  test('of sign-ups count by network, for any caller', async () => {
    const home = await start({
      identity: { signUp: async () => ({}) },
      env: { HEARTH_LIMITS: '{"sign_ups_an_hour": 2}' },
    });
    const statuses = [];
    for (const principal of [undefined, key, undefined]) {
      statuses.push(
        (await ask(home.url, '/v0/agents', { body: { name: 'a' }, ...(principal && { key: principal }) }))
          .status,
      );
    }
    expect(statuses).toEqual([201, 201, 429]);
  });

  test('bound guesses of keys, without affecting callers with a key', async () => {
    const home = await start({
      profile: { whoami: async () => ({}) },
      env: { HEARTH_LIMITS: '{"reads_a_minute": {"anyone": 3}}' },
    });
    const statuses = [];
    for (const index of [1, 2, 3, 4])
      statuses.push((await ask(home.url, '/v0/me', { key: `guess-${index}` })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await ask(home.url, '/v0/me', { key })).status).toBe(200);
  });

  test('are listed with the remaining quota', async () => {
    const home = await start({
      keys: { [key]: { ...anAi, aiStatus: AiStatus.CLAIMED } },
      profile: { whoami: async () => ({}) },
    });
    const list = async (principal?: string) => {
      const { json } = await ask(home.url, '/v0/limits', principal === undefined ? {} : { key: principal });
      return Object.fromEntries((json.limits as { name: string }[]).map((limit) => [limit.name, limit]));
    };
    await ask(home.url, '/v0/me', { key });
    const listed = await list(key);
    const { reads_a_minute: reads, body_bytes: body } = listed;
    expect(listed.invite_mails_a_day).toMatchObject({ remaining: 50 });
    expect(listed.sign_in_tries_an_hour).toMatchObject({ remaining: 100 });
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

describe('requests without a valid credential', () => {
  const json = { 'content-type': 'application/json' };
  test.each<[string, string, Parameters<typeof ask>[2]]>([
    ['a path that leads nowhere', '/nowhere', {}],
    ['a page that leads nowhere', '/nowhere', { headers: { accept: 'text/html' } }],
    ['a document', '/llms.txt', {}],
    ['the front page', '/', { method: 'HEAD' }],
    ['an asset', '/assets/none.css', {}],
    ['a question what a route takes', '/v0/me', { method: 'OPTIONS' }],
    ['an operation that needs a key', '/v0/me', {}],
    ['an operation for everyone', '/v0/limits', {}],
    ['MCP', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }],
    ['MCP by another method', '/mcp', { method: 'DELETE' }],
    ['the authorization server', '/oauth/token', { method: 'POST', body: '', headers: json }],
    ['another home', '/federation/inbox', { method: 'POST', body: '{}', headers: json }],
    ['a page', '/in', {}],
    ['another host', '/', { headers: { host: 'elsewhere.example' } }],
    ['a wrong method', '/v0/limits', { method: 'DELETE' }],
  ])('are bounded for a network whatever they are for: %s', async (_, path, asking) => {
    const home = await start({
      profile: { whoami: async () => ({}) },
      env: { HEARTH_LIMITS: '{"unproven_requests_a_minute": 2}' },
    });
    expect((await ask(home.url, '/v0/me', { key })).status).toBe(200);
    const statuses = [];
    for (let times = 0; times < 3; times += 1) statuses.push((await ask(home.url, path, asking)).status);
    expect(statuses.slice(0, 2)).not.toContain(429);
    expect(statuses[2]).toBe(429);
    expect((await ask(home.url, '/v0/me', { key })).status).toBe(200);
    expect((await ask(home.url, '/health')).status).toBe(200);
    // Other machines of a private network may share the connection, so it is refused but not cut.
    for (let times = 0; times < 3; times += 1) expect((await ask(home.url, path, asking)).status).toBe(429);
  });

  test('are refused by routes without credentials, and counted by others', async () => {
    const home = await start({
      profile: { whoami: async () => ({}) },
      env: { HEARTH_LIMITS: '{"unproven_requests_a_minute": 7}' },
    });
    const statuses = [];
    for (const [path, principal] of [
      ['/v0/me', key],
      // Five points each for looking it up.
      ['/v0/me', 'wrong'],
      ['/nowhere', 'wrong'],
      ['/llms.txt', 'wrong'],
      ['/nowhere', 'wrong'],
      ['/llms.txt', key],
      ['/v0/me', 'wrong'],
      ['/v0/me', key],
    ] as const)
      statuses.push((await ask(home.url, path, { key: principal })).status);
    expect(statuses).toEqual([200, 401, 404, 200, 429, 429, 401, 200]);
  });

  test('are not looked up once their network has sent too many, on any route, except for keys that worked here', async () => {
    let looked = 0;
    const home = await start({
      profile: { whoami: async () => ({}) },
      identity: {
        resolveCredential: async ({ hash }) => {
          looked += 1;
          return Buffer.from(hash).toString('base64') === digestOf(key) ? { caller: anAi as Caller } : {};
        },
      },
      env: { HEARTH_LIMITS: '{"unproven_requests_a_minute": 20}' },
    });
    await ask(home.url, '/v0/me', { key });
    const guesses: [string, object][] = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0
        ? ['/me', { headers: { cookie: `hearth_session=hearth_ps_${String(index).padStart(43, 'a')}` } }]
        : [index % 3 === 1 ? '/v0/me' : '/mcp', { key: `guess-${index}`, body: {} }],
    );
    for (const [path, asking] of guesses) await ask(home.url, path, asking);
    // Five points each.
    expect(looked).toBe(1 + 4);
    expect((await ask(home.url, '/v0/me', { key })).status).toBe(200);
  });

  test('of other homes without a valid signature count ten times, and are not read once there were too many', async () => {
    let served = 0;
    const home = await start({
      fakes: [
        fake(HomeRequestsService, {
          serveHomeRequest: async () => {
            served += 1;
            return { status: 401, body: Buffer.from('{}'), headers: [] } as never;
          },
        }),
      ],
      env: { HEARTH_LIMITS: '{"unproven_requests_a_minute": 25}' },
    });
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
    const statuses = [];
    for (let times = 0; times < 5; times += 1)
      statuses.push(
        (await ask(home.url, '/federation/inbox', { method: 'POST', body: '{}', headers })).status,
      );
    expect([statuses, served]).toEqual([[401, 401, 401, 429, 429], 3]);
  });
});

describe('a school behind one address', () => {
  test('opens 500 browsers within a minute, signed in or not, and has 50 AIs at work', async () => {
    const keys = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`key-${index}`, { ...anAi, id: `ai-${index}` }]),
    );
    const sessions = Object.fromEntries(
      Array.from({ length: 250 }, (_, index) => [
        `hearth_ps_${String(index).padStart(43, 'a')}`,
        { kind: CallerKind.PERSON, id: `person-${index}`, session: `session-${index}`, address: '@ada' },
      ]),
    );
    const home = await start({ profile: { whoami: async () => ({}) }, keys: { ...keys, ...sessions } });
    const statuses = new Map<string, number>();
    const open = async (path: string, asking: Parameters<typeof ask>[2] = {}) => {
      const { status } = await ask(home.url, path, asking);
      statuses.set(
        `${path.split('.')[0]} ${status}`,
        (statuses.get(`${path.split('.')[0]} ${status}`) ?? 0) + 1,
      );
    };
    const files = [assets.stylesheet, assets.script, assets.forms, assets.icon].map(({ path }) => path);
    const browse = async (page: string, headers: Record<string, string> = {}) => {
      await open(page, { headers });
      for (const file of files) await open(file, { headers });
    };
    const crowd = [
      ...Object.keys(sessions).map((token) => browse('/in', { cookie: `hearth_session=${token}` })),
      ...Array.from({ length: 250 }, (_, index) => browse(index % 2 ? '/' : '/in')),
      ...Object.keys(keys).map(async (each) => {
        for (let times = 0; times < 20; times += 1) await open('/v0/me', { key: each });
      }),
    ];
    await Promise.all(crowd);
    expect([...statuses].filter(([name]) => !/ (?:200|303)$/.test(name))).toEqual([]);
  });
});

describe('callers behind a proxy', () => {
  const statusesOf = async (url: string, addresses: string[]) => {
    const statuses = [];
    for (const address of addresses) {
      const { status } = await ask(url, '/v0/agents', {
        body: { name: 'a' },
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      });
      statuses.push(status);
    }
    return statuses;
  };
  const identity = { signUp: async () => ({}) };
  const addresses = ['198.51.100.1', '203.0.113.1', '198.51.100.2', '203.0.113.2'];
  const HEARTH_LIMITS = '{"sign_ups_an_hour": 1}';

  test('count by their own networks where the proxy is trusted', async () => {
    const home = await start({ identity, env: { HEARTH_LIMITS, HEARTH_TRUSTED_PROXIES: 'loopback' } });
    expect(await statusesOf(home.url, addresses)).toEqual([201, 201, 429, 429]);
  });

  test.each([undefined, '10.0.0.0/8'])("and by the proxy's network if %s is trusted", async (trusted) => {
    const home = await start({
      identity,
      env: { HEARTH_LIMITS, ...(trusted && { HEARTH_TRUSTED_PROXIES: trusted }) },
    });
    expect(await statusesOf(home.url, addresses)).toEqual([201, 429, 429, 429]);
  });
});
