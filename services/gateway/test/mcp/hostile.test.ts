import { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import { fake } from '@hearth/testkit';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventMethods } from '../../src/mcp/events.ts';
import { type Answered, ask } from '../support/request.ts';
import { startTestGateway } from '../support/test-gateway.ts';
import { legacy, modern } from './rpc.ts';

const key = 'key-of-robin';

const home = await startTestGateway({
  profile: { getCard: async ({ address }) => ({ address }), whoami: async () => ({}) },
  messages: { sendMessage: async ({ text, data }) => ({ text, data }), listMessages: async () => ({}) },
  fakes: [
    fake(SubscriptionsService, {
      listEvents: async () => ({}),
      pollEvents: async () => ({}),
      subscribe: async () => ({}),
      unsubscribeFrom: async () => ({}),
    }),
  ],
  env: { HEARTH_LIMITS: 'relaxed' },
});
afterAll(() => home.stop());

/** Whatever a caller sends is the caller's fault, never the home's. */
function expectFine({ status, text }: Answered): void {
  expect([text, status < 500]).toEqual([text, true]);
  expect(text).not.toContain('-32603');
  expect(text).not.toContain('inside the home');
}

const runs = { numRuns: 200 };
const methods = ['initialize', 'server/discover', 'tools/list', 'tools/call', 'ping', ...eventMethods];
const word = fc.constantFrom(
  ...['name', 'arguments', 'cursor', '_meta', 'delivery', 'url', 'secret', 'mode', 'group', 'maxEvents'],
  ...['ttlMs', 'maxAgeMs', 'protocolVersion', 'capabilities', 'clientInfo', 'notifications', 'task'],
  ...['progressToken', 'inputResponses', 'requestState', '__proto__', 'constructor', 'toString'],
  ...[
    'whoami',
    'card',
    'send_message',
    'message.direct',
    'ask.answered',
    'webhook',
    'io.modelcontextprotocol/x',
  ],
);
const value = fc.oneof(word, fc.jsonValue({ maxDepth: 3 }));
const params = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(word, fc.oneof(value, fc.dictionary(word, value))) },
  { weight: 1, arbitrary: value },
);
const method = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...methods) }, fc.string());

const asOperation = { name: 'messages_tools', arguments: { operation: { toString: null } } };

test('any params of any method', async () => {
  await fc.assert(
    fc.asyncProperty(method, params, async (which, given) => {
      expectFine(await legacy(home.url, key)(which, given as Record<string, unknown>));
      const headers = { 'mcp-method': encodeURIComponent(which), 'mcp-name': 'x' };
      const own = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {};
      expectFine(await modern(home.url, key)(which, own as Record<string, unknown>, { headers }));
    }),
    {
      ...runs,
      examples: [
        ['tools/call', { name: { toString: null } }],
        ['tools/call', asOperation],
      ],
    },
  );
});

test('any message', async () => {
  const id = fc.oneof(fc.integer(), fc.string(), fc.jsonValue());
  const message = fc.record(
    { jsonrpc: fc.constantFrom('2.0', '1.0', 2, null), id, method, params, result: value, error: value },
    { requiredKeys: [] },
  );
  const body = fc.oneof(message, fc.array(message, { maxLength: 5 }), fc.jsonValue());
  const revisions = fc.constantFrom(undefined, '2025-11-25', '2026-07-28', '2099-01-01', 'x');
  await fc.assert(
    fc.asyncProperty(body, revisions, async (json, revision) => {
      const headers = {
        'content-type': 'application/json',
        ...(revision !== undefined && { 'mcp-protocol-version': revision }),
      };
      expectFine(await ask(home.url, '/mcp', { key, headers, body: JSON.stringify(json) }));
    }),
    runs,
  );
});

test('any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (body) => {
      const { status, json } = await ask(home.url, '/mcp', { key, body });
      expect([status, typeof (json as { error?: unknown }).error]).toEqual([400, 'object']);
    }),
    runs,
  );
});

test('any headers', async () => {
  const text = fc.string({
    unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
  });
  const names = ['accept', 'origin', 'host', 'mcp-method', 'mcp-name', 'mcp-session-id', 'last-event-id'];
  const headers = fc.dictionary(fc.constantFrom(...names, 'mcp-protocol-version', 'svc-acting-for'), text);
  await fc.assert(
    fc.asyncProperty(headers, async (given) => {
      expectFine(await legacy(home.url, key)('ping', undefined, { headers: given }));
      expectFine(await modern(home.url, key)('tools/call', { name: 'whoami' }, { headers: given }));
    }),
    runs,
  );
});

test.each([
  ['more than the home takes', 'x'.repeat(70_000), 413, -32_000],
  ['too many levels', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 400, -32_700],
  ['several messages at once', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32_600],
  ['two members of one name', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"x"}', 400, -32_700],
  ['nothing', '', 400, -32_600],
  ['half a message', '{"jsonrpc":"2.0"', 400, -32_700],
])('%s', async (_, body, status, code) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await ask(home.url, '/mcp', { key, headers, method: 'POST', body });
  expect([answer.status, answer.json]).toMatchObject([status, { id: null, error: { code } }]);
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
  'a body of the type "%s"',
  async (type) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const answer = await ask(home.url, '/mcp', { key, headers: { 'content-type': type }, body });
    expect(answer.status).toBe(415);
  },
);

test.each([
  ['a host that is not ours', { host: 'evil.example' }],
  ['a page of elsewhere', { origin: 'https://evil.example' }],
  ['a page without an address', { origin: 'null' }],
])('from %s, with a key that works', async (_, headers) => {
  const answer = await legacy(home.url, key)('tools/list', undefined, { headers });
  expect([answer.status, answer.json]).toMatchObject([403, { error: { code: -32_012 } }]);
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  const preflight = await ask(home.url, '/mcp', { method: 'OPTIONS', headers });
  expect(preflight.status).toBe(403);
});

test('a trailing slash is ignored', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const { status, headers } = await ask(home.url, '/mcp/', { body: message });
  expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('/mcp"')]);
  expect((await ask(home.url, '/mcp/', { body: message, key })).status).toBe(200);
});

test('a page of an origin that the operator allows may send requests and read answers', async () => {
  const chat = await startTestGateway({ env: { HEARTH_MCP_ORIGINS: 'https://chat.example' } });
  try {
    const origin = 'https://chat.example';
    const preflight = await ask(chat.url, '/mcp', { method: 'OPTIONS', headers: { origin } });
    expect([preflight.status, preflight.headers]).toMatchObject([
      204,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': expect.stringContaining('Authorization'),
      },
    ]);
    for (const answer of [
      await legacy(chat.url, key)('ping', undefined, { headers: { origin } }),
      await legacy(chat.url, 'wrong')('ping', undefined, { headers: { origin } }),
    ]) {
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': expect.stringContaining('WWW-Authenticate'),
      });
    }
  } finally {
    await chat.stop();
  }
});
