import { afterAll, describe, expect, test } from '@jest/globals';
import { sendRaw, statusesOf } from '../support/raw.ts';
import { startWholeHome } from '../support/whole-home.ts';

/** A client may use a request's bytes to smuggle in another request, mislead the router, or inject headers. */

const whole = await startWholeHome({ logLevel: 'error' });
const robin = await whole.signUp();
afterAll(() => whole.stop());

const raw = (...lines: string[]) => sendRaw(whole.port, lines.join('\r\n'));
const json = 'Content-Type: application/json';
const smuggled = 'GET /v0/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('a second request smuggled into a first', () => {
  test.each<[string, string[]]>([
    ['both lengths', ['Content-Length: 4', 'Transfer-Encoding: chunked', '', `0\r\n\r\n${smuggled}`]],
    [
      'both lengths, the other way round',
      ['Transfer-Encoding: chunked', 'Content-Length: 4', '', `0\r\n\r\n${smuggled}`],
    ],
    ['two lengths', ['Content-Length: 0', `Content-Length: ${smuggled.length}`, '', smuggled]],
    ['a list of lengths', [`Content-Length: 0, ${smuggled.length}`, '', smuggled]],
    ['a length with a sign', ['Content-Length: +0', '', smuggled]],
    ['a length in hex', ['Content-Length: 0x4', '', smuggled]],
    ['a negative length', ['Content-Length: -1', '', smuggled]],
    ['a length with a space before the colon', ['Content-Length : 0', '', smuggled]],
    ['a coding that is none', ['Transfer-Encoding: xchunked', '', `0\r\n\r\n${smuggled}`]],
    ['chunked and then something', ['Transfer-Encoding: chunked, identity', '', `0\r\n\r\n${smuggled}`]],
    ['a coding behind a tab', ['Transfer-Encoding:\x0bchunked', '', `0\r\n\r\n${smuggled}`]],
    ['a folded header', ['Transfer-Encoding:', ' chunked', '', `0\r\n\r\n${smuggled}`]],
    ['a bare CR in a header', ['X-A: a\rContent-Length: 4', '', `abcd${smuggled}`]],
    ['a NUL in a header', ['X-A: a\0b', '', smuggled]],
    ['a chunk of a size that is none', ['Transfer-Encoding: chunked', '', `+0\r\n\r\n${smuggled}`]],
    ['a chunk without its end', ['Transfer-Encoding: chunked', '', `2\r\nabX\r\n0\r\n\r\n${smuggled}`]],
  ])('%s: is never answered', async (_, lines) => {
    const answers = await raw('POST /v0/agents HTTP/1.1', 'Host: localhost', json, ...lines);
    expect(answers).not.toContain('smuggled');
    const statuses = statusesOf(answers);
    expect(statuses.length).toBeLessThanOrEqual(1);
    expect(statuses.every((status) => status >= 400)).toBe(true);
  });

  test('a request with a correct length is followed by the next one', async () => {
    const answers = await raw(
      ...['POST /v0/agents HTTP/1.1', 'Host: localhost', json, 'Content-Length: 4', ''],
      'abcdGET /health HTTP/1.1',
      ...['Host: localhost', 'Connection: close', '', ''],
    );
    expect(statusesOf(answers)).toEqual([400, 200]);
  });

  test('a body of a GET is not parsed as a request', async () => {
    const body = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const answers = await raw(
      'GET /health HTTP/1.1',
      'Host: localhost',
      `Content-Length: ${body.length}`,
      '',
      body,
    );
    expect(statusesOf(answers)).toHaveLength(1);
  });
});

describe('a malformed request for a page', () => {
  test.each([
    ['CONNECT', 'CONNECT 127.0.0.1:80 HTTP/1.1'],
    ['a proxy request to elsewhere', 'GET http://127.0.0.1:1/v0/agents HTTP/1.1'],
    ['a target with a user', 'GET http://me:secret@127.0.0.1/v0/me HTTP/1.1'],
    ['another scheme', 'GET file:///etc/passwd HTTP/1.1'],
    ['a target without a slash', 'GET v0/me HTTP/1.1'],
    ['the asterisk', 'OPTIONS * HTTP/1.1'],
    ['TRACE', 'TRACE /v0/me HTTP/1.1'],
    ['an upgrade', 'GET /v0/me HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket'],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n'],
  ])('%s is refused, without echoing the request', async (_, line) => {
    const secret = `Bearer ${robin.key}`;
    const answers = await raw(line, 'Host: localhost', `X-Echo: ${secret}`, 'Connection: close', '', '');
    expect(answers).not.toContain(robin.key);
    expect(answers).not.toContain('root:');
    // 403: the target takes precedence over the Host header, and a target with a user names no host of this home.
    for (const status of statusesOf(answers)) expect([400, 401, 403, 404, 405]).toContain(status);
  });
});

describe('paths', () => {
  const get = async (path: string) => {
    const answer = await raw(
      ...[
        `GET ${path} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${robin.key}`,
        'Connection: close',
        '',
        '',
      ],
    );
    return { status: statusesOf(answer)[0], answer };
  };

  test.each([
    '/v0/messages/../me',
    '/v0/messages/%2e%2e/me',
    '/v0/messages/%2e%2e%2fme',
    '/v0/messages/..%2f..%2fv0%2fme',
    '/v0/cards/..%5cme',
    '/v0/./me',
    '/v0//me',
    '//v0/me',
    '/v0/me/.',
    '/v0/me;a=b',
    '/v0/me%00',
    '/v0/me%2f',
    '/v0/me%20',
    '/v0\\me',
    '/v0/%256de',
    '/v0/m%25%36%35',
    '/v0/%EF%BD%8De',
    '/v0/%F0%9F%98%80',
    '/V0/me',
    '/v0/ME',
    '/v0/constructor',
    '/v0/__proto__',
    '/v0/messages/__proto__',
    '/v0/ais/me/keys/../../../me',
    '/v0/openapi.json/..',
    '/..%2f..%2fetc/passwd',
    '/.git/config',
    '/.well-known/../v0/me',
    '/v0/%',
    '/v0/%zz',
    '/v0/%c0%ae%c0%ae/me',
    '/v0/messages/%ed%a0%80',
  ])('%s is not found', async (path) => {
    const { status, answer } = await get(path);
    expect([400, 404]).toContain(status);
    expect(answer).not.toContain('claim_link');
  });

  test('a path may be percent-encoded, with the same meaning', async () => {
    for (const path of ['/v0/me', '/v0/%6de', '/v0/me/']) expect((await get(path)).status).toBe(200);
  });

  test.each([
    '%0d%0aSet-Cookie:%20a=b',
    '%0aX-Injected:%201',
    '%E5%98%8A%E5%98%8DSet-Cookie:a=b',
    '%0d%0a%0d%0a<script>',
  ])('no header can be injected by %s', async (value) => {
    for (const path of [
      `/v0/messages/${value}`,
      `/v0/${value}`,
      `/v0/messages?${value}=${value}`,
      `/v0/cards/${value}`,
    ]) {
      const { status, answer } = await get(path);
      expect([400, 404]).toContain(status);
      const [head] = answer.split('\r\n\r\n');
      expect(head).not.toMatch(/set-cookie|x-injected|<script>/i);
    }
  });
});

describe('headers', () => {
  test('that are invalid in HTTP are refused', async () => {
    for (const header of [
      'Idempotency-Key: a\0b',
      'Authorization: Bearer a\x01',
      'If-None-Match: \x7f\x00',
    ]) {
      const answers = await raw(
        'GET /v0/me HTTP/1.1',
        'Host: localhost',
        header,
        'Connection: close',
        '',
        '',
      );
      for (const status of statusesOf(answers)) expect([400, 401]).toContain(status);
    }
  });

  test('in thousands are refused', async () => {
    const many = Array.from({ length: 1_500 }, (_, index) => `A${index}: 1`);
    const answers = await raw(
      'GET /health HTTP/1.1',
      'Host: localhost',
      ...many,
      'Connection: close',
      '',
      '',
    );
    for (const status of statusesOf(answers)) expect([200, 431]).toContain(status);
  });

  test('a forwarded host changes no response', async () => {
    const [usual, other] = await Promise.all(
      [{}, { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }].map(async (headers) => {
        const [document, guide, me] = await Promise.all([
          robin.get('/.well-known/service.json', headers as Record<string, string>),
          robin.get('/llms.txt', headers as Record<string, string>),
          robin.get('/v0/me', headers as Record<string, string>),
        ]);
        return [document.body, guide.body, me.body.claim_link];
      }),
    );
    expect(other).toEqual(usual);
  });
});
