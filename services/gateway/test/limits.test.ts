import { AiStatus } from '@hearth/proto/common/v1/caller';
import { describe, expect, test } from '@jest/globals';
import { anAi } from './support/peers.ts';
import { ask } from './support/request.ts';
import { operatorKey } from './support/test-gateway.ts';
import { useGateways } from './support/use-gateways.ts';

const key = 'key-of-robin';
const start = useGateways();

describe('limits', () => {
  test('are counted by caller, told in every answer, and end in 429', async () => {
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

  test('of reads count what an answer costs: once more for each 64 KiB', async () => {
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
    // Given is an answer that counts more than is left; refused is the next request.
    expect((await ask(home.url, '/mcp', { key, body: tool })).status).toBe(200);
    expect((await ask(home.url, '/v0/messages', { key })).status).toBe(429);
  });

  test('of sign-ups count by network, whoever sends them', async () => {
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

  test('bound the guessing of keys, and leave those who have one alone', async () => {
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

  test('are listed with what is left of them', async () => {
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

  test.each([undefined, '10.0.0.0/8'])('and by that of the proxy where %s is trusted', async (trusted) => {
    const home = await start({
      identity,
      env: { HEARTH_LIMITS, ...(trusted && { HEARTH_TRUSTED_PROXIES: trusted }) },
    });
    expect(await statusesOf(home.url, addresses)).toEqual([201, 429, 429, 429]);
  });
});
