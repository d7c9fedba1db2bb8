import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { raw } from './support/raw.ts';
import { ask } from './support/request.ts';
import { startTestGateway } from './support/test-gateway.ts';

const key = 'key-of-robin';

const home = await startTestGateway({
  messages: {
    sendMessage: async ({ text, data }) => ({ text, data }),
    listMessages: async () => ({}),
    markRead: async () => ({}),
  },
  profile: { getCard: async ({ address }) => ({ address }) },
  identity: { setAway: async () => ({}) },
  env: { HEARTH_LIMITS: 'relaxed' },
});
afterAll(() => home.stop());

// Whatever a caller sends is the caller's fault, never the home's: no answer is a 500.
const fine = (status: number) => status >= 200 && status < 500;
const runs = { numRuns: 150 };

test('any JSON at all as a body', async () => {
  const member = fc.constantFrom(
    'text',
    'to',
    'data',
    'reply_to',
    'request_id',
    'until',
    'ids',
    '__proto__',
    'constructor',
  );
  const body = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.oneof(member, fc.string()), fc.jsonValue({ maxDepth: 6 })),
  );
  const target = fc.constantFrom(
    ['POST', '/v0/messages'],
    ['POST', '/v0/messages/read'],
    ['PUT', '/v0/me/away'],
  );
  await fc.assert(
    fc.asyncProperty(target, body, async ([method, path], json) => {
      const { status } = await ask(home.url, path as string, { key, method, body: JSON.stringify(json) });
      expect(fine(status)).toBe(true);
    }),
    runs,
  );
});

test('any bytes at all as a body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (body) => {
      const { status } = await ask(home.url, '/v0/messages', { key, body });
      expect(status).toBe(400);
    }),
    runs,
  );
});

test('any path and query', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'v0',
      'messages',
      'cards',
      'ais',
      'keys',
      '..',
      '.',
      '',
      '%',
      '%00',
      '%c0%ae',
      '%ED%A0%80',
      '__proto__',
    ),
    fc.webSegment(),
    fc.string({ unit: 'grapheme' }).map(encodeURIComponent),
  );
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS');
  const path = fc.tuple(
    fc.constantFrom('', '/v0', '/v0/messages', '/v0/cards'),
    fc.array(piece, { maxLength: 5 }),
  );
  const query = fc.oneof(
    fc.webQueryParameters(),
    fc.constantFrom('wait=-1', 'limit=1e9', 'limit=%D9%A3', 'since=%', '=', '&&', 'unread'),
  );
  await fc.assert(
    fc.asyncProperty(method, path, query, async (verb, [base, pieces], parameters) => {
      const target = `${[base, ...pieces].join('/')}?${parameters}`;
      const { status } = await ask(home.url, target.startsWith('/') ? target : `/${target}`, {
        key,
        method: verb,
      });
      // This test's missing peers answer 501.
      expect(fine(status) || status === 501).toBe(true);
    }),
    runs,
  );
});

test('any credential and headers', async () => {
  const printable = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  const name = fc.constantFrom(
    'authorization',
    'content-type',
    'if-none-match',
    'idempotency-key',
    'traceparent',
    'accept',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(
        name,
        fc.oneof(
          printable,
          printable.map((text) => `Bearer ${text}`),
        ),
      ),
      async (headers) => {
        const { status } = await ask(home.url, '/v0/messages', {
          headers,
          method: 'POST',
          body: '{"text":"a"}',
        });
        expect(fine(status)).toBe(true);
      },
    ),
    runs,
  );
});

test.each([
  ['Host: localhost', 'Host: localhost'],
  ['Host: localhost', 'Authorization: Bearer a', 'authorization: Bearer b'],
])('%s, %s are refused', async (...lines) => {
  const request = ['POST /v0/agents HTTP/1.1', ...lines, 'Content-Type: application/json', '', '0\r\n\r\n'];
  expect(await raw(home.port, request.join('\r\n'))).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  'GET http://elsewhere.example/v0/messages HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /v0/messages HTTP/1.1\r\n\r\n',
  'GET /v0/messages HTTP/1.0\r\n\r\n',
  'GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'POST /v0/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /v0/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
])('%j', async (request) => {
  expect(await raw(home.port, request)).toMatch(/^HTTP\/1\.1 [24]\d\d /);
});
