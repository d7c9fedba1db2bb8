import { forbidden, HearthError, notFound, unavailable } from '@hearth/errors';
import { CallerKind, Scope } from '@hearth/proto/options';
import { afterAll, describe, expect, test } from '@jest/globals';
import { anAi } from './support/peers.ts';
import { raw } from './support/raw.ts';
import { type Asking, ask } from './support/request.ts';
import { startTestGateway } from './support/test-gateway.ts';

const key = 'key-of-robin';
const reader = 'key-of-a-reader';
const person = 'key-of-a-person';
const byGrant = 'token-of-a-grant';
/** Tells a client where to sign in. */
const metadata = 'resource_metadata="http://localhost:8080/.well-known/oauth-protected-resource"';
/** The error of the next whoami call. */
let failure: () => Error = () => new Error('not set');

const home = await startTestGateway({
  keys: {
    [key]: anAi,
    [reader]: { ...anAi, id: 'b', scopes: [Scope.READ] },
    [person]: { kind: CallerKind.PERSON, id: 'c', scopes: [Scope.READ] },
    [byGrant]: { ...anAi, person: 'c', grant: 'g', scopes: [Scope.READ] },
  },
  profile: { whoami: () => Promise.reject(failure()) },
  identity: { describeMe: async () => ({ description: 'x' }) },
  messages: {
    sendMessage: async ({ text }) => ({ text }),
    getMessage: () => Promise.reject(notFound()),
    listMessages: async () => ({}),
  },
  env: {
    HEARTH_SITE_URL: 'http://localhost:8080',
    HEARTH_LIMITS: '{"reads_a_minute": 10000, "writes_a_minute": 10000}',
  },
});
afterAll(() => home.stop());

const send = (body: unknown, more: Asking = {}) => ask(home.url, '/v0/messages', { body, key, ...more });
const whoami = (error: Error) => {
  failure = () => error;
  return ask(home.url, '/v0/me', { key });
};

describe('400', () => {
  test.each<[string, unknown, object]>([
    [
      'an unknown field, with the nearest known one',
      { txt: 'Hi' },
      { code: 'unknown_field', field: 'txt', error: expect.stringContaining('"text"') },
    ],
    ['a missing field', {}, { code: 'bad_field', field: 'text' }],
    ['a field of another type', { text: 5 }, { code: 'bad_field', field: 'text' }],
    ['half a surrogate pair', '{"text": "a\\ud800"}', { code: 'bad_json' }],
    [
      'an escaped NUL in a token',
      '{"text":"x","request_id":"a\\u0000b"}',
      { code: 'bad_field', field: 'request_id' },
    ],
    ['no JSON', '{"text": ', { code: 'bad_json', error: expect.stringContaining('offset 9') }],
    ['a word', 'hello', { code: 'bad_json' }],
    ['a list', [1], { code: 'bad_json' }],
    ['null', 'null', { code: 'bad_json', error: expect.stringContaining('JSON object') }],
    [
      'a member given twice',
      '{"text":"a","text":"b"}',
      { code: 'bad_json', error: expect.stringContaining('twice') },
    ],
    ['a raw NUL', '{"text":"a\0b"}', { code: 'bad_json' }],
    ['deep nesting', `{"data":${'['.repeat(30_000)}`, { code: 'bad_json' }],
    [
      'deep nesting in an unknown field',
      `{"x":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
      { code: 'bad_json' },
    ],
    ['__proto__', '{"text":"a","__proto__":{"to":"@x"}}', { code: 'unknown_field', field: '__proto__' }],
    ['constructor', '{"text":"a","constructor":{}}', { code: 'unknown_field', field: 'constructor' }],
    [
      'what is not UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      { code: 'bad_json', error: expect.stringContaining('UTF-8') },
    ],
  ])('%s', async (_, body, expected) => {
    const { status, json } = await send(body);
    expect({ status, json }).toMatchObject({ status: 400, json: { error: expect.any(String), ...expected } });
  });

  test('__proto__ in free-form data has no effect', async () => {
    const { status } = await send('{"text":"a","data":{"__proto__":{"polluted":true}}}');
    expect(status).toBeLessThan(500);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each([
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'x'.repeat(500),
  ])('content type %s', async (type) => {
    const { status, json } = await send({ text: 'a' }, { headers: { 'content-type': type } });
    expect({ status, json }).toMatchObject({ status: 400, json: { code: 'bad_json' } });
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    'but not content type %s',
    async (type) => {
      expect((await send({ text: 'a' }, { headers: { 'content-type': type } })).status).toBe(201);
    },
  );

  test.each([
    [
      '/v0/messages?unraed=true',
      { code: 'unknown_field', field: 'unraed', error: expect.stringContaining('"unread"') },
    ],
    ['/v0/messages?unread=yes', { code: 'bad_field', field: 'unread' }],
    ['/v0/messages?limit=0', { code: 'bad_field', field: 'limit' }],
    ['/v0/messages?limit=5&limit=6', { code: 'bad_field', field: 'limit' }],
    ['/v0/messages?from=%ff', {}],
    ['/v0/messages?__proto__=1', { code: 'unknown_field', field: '__proto__' }],
    ['/v0/cards/%zz', {}],
    ['/v0/cards/%ED%A0%80', {}],
    ['/v0/cards/a%00b', { code: 'bad_field', field: 'address' }],
    ['/v0/messages/msg_1', { code: 'bad_field', field: 'id' }],
    ['/v0/messages/__proto__', { code: 'bad_field', field: 'id' }],
  ])('GET %s', async (path, expected) => {
    const { status, json } = await ask(home.url, path, { key });
    expect({ status, json }).toMatchObject({ status: 400, json: { error: expect.any(String), ...expected } });
  });

  test('a query where the fields belong in the body', async () => {
    const { status, json } = await ask(home.url, '/v0/messages?text=a', { key, body: { text: 'a' } });
    expect({ status, json }).toMatchObject({ status: 400, json: { code: 'unknown_field', field: 'text' } });
  });

  test('a body where the fields belong in the query, but not an empty object', async () => {
    const full = await ask(home.url, '/v0/messages', { key, method: 'GET', body: { unread: true } });
    expect(full).toMatchObject({ status: 400, json: { code: 'unknown_field', field: 'unread' } });
    const nothing = await ask(home.url, '/v0/messages', { key, method: 'GET', body: 'null' });
    expect(nothing).toMatchObject({ status: 400, json: { code: 'unknown_field' } });
    expect((await ask(home.url, '/v0/messages', { key, method: 'GET', body: {} })).status).toBe(200);
  });

  test('two idempotency keys that differ', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': '"one"' };
    const { status, json } = await send({ text: 'a', request_id: 'two' }, { headers });
    expect({ status, json }).toMatchObject({ status: 400, json: { field: 'request_id' } });
    expect((await send({ text: 'a', request_id: 'one' }, { headers })).status).toBe(201);
  });

  test.each([
    ['no host', 'GET /v0/me HTTP/1.1\r\n\r\n', 400],
    [
      'a coding of the body that is not taken',
      'POST /v0/agents HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['another expectation', 'GET /v0/me HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\n\r\n', 417],
  ])('%s', async (_, request, status) => {
    const text = await raw(home.port, request);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toContain('{"error":"');
  });

  test('a faulty body after the answer gets no second answer', async () => {
    const text = await raw(
      home.port,
      `POST /v0/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`,
      'nonsense\r\n',
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });

  test('input that is not HTTP', async () => {
    const text = await raw(home.port, 'NONSENSE\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('{"error":');
  });
});

test('431 with a body for headers that are too long', async () => {
  expect(
    await raw(home.port, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 431 .*\{"error":/s);
});

describe('401', () => {
  test('without a key: sign in first', async () => {
    const { status, json, headers } = await ask(home.url, '/v0/me');
    expect({ status, json }).toMatchObject({
      status: 401,
      json: { error: expect.stringContaining('sign in first') },
    });
    expect(headers['www-authenticate']).toBe(`Bearer scope="read", ${metadata}`);
  });

  test('names no scope if none is needed', async () => {
    const { headers } = await ask(home.url, '/v0/ais/me', { method: 'DELETE' });
    expect(headers['www-authenticate']).toBe(`Bearer ${metadata}`);
  });

  test.each([{ authorization: 'Bearer wrong' }, { authorization: 'Basic YTpi' }, { authorization: '' }])(
    'with %j: the key does not work',
    async (headers) => {
      const answer = await ask(home.url, '/v0/me', { headers });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe(
        `Bearer error="invalid_token", scope="read", ${metadata}`,
      );
      expect(answer.text).not.toContain('wrong');
    },
  );
});

describe('403', () => {
  test('names the permission that is missing', async () => {
    const answer = await ask(home.url, '/v0/messages', { key: reader, body: { text: 'a' } });
    expect(answer).toMatchObject({
      status: 403,
      json: { code: 'no_permission', error: expect.stringContaining('"message"') },
    });
    // A caller with a key cannot request more scopes.
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  test.each([person, byGrant])(
    'names the scope that a sign-in lacks in the challenge too (%s)',
    async (by) => {
      const answer = await ask(home.url, '/v0/messages', { key: by, body: { text: 'a' } });
      expect(answer).toMatchObject({ status: 403, json: { code: 'no_permission' } });
      expect(answer.headers['www-authenticate']).toBe(
        `Bearer error="insufficient_scope", scope="message", ${metadata}`,
      );
    },
  );

  test('names who may', async () => {
    const answer = await ask(home.url, '/v0/me/description', {
      key: person,
      method: 'PUT',
      body: { text: 'a' },
    });
    expect(answer).toMatchObject({ status: 403, json: { error: 'only AIs may do this' } });
  });

  test('says when a person is needed', async () => {
    const answer = await whoami(
      forbidden('a person must answer', { code: 'needs_person', needsPerson: true }),
    );
    expect(answer).toMatchObject({ status: 403, json: { needs_person: true, code: 'needs_person' } });
  });
});

describe('404', () => {
  test('for an unknown path', async () => {
    for (const path of [
      '/nowhere',
      '/v0/nowhere',
      '/v0',
      '/v0/messages/a/b/c',
      '/%zz',
      '/v0/openapi.json/x',
      '/v0/ready/x',
    ]) {
      const answer = await ask(home.url, path);
      expect([path, answer.status, answer.json]).toEqual([
        path,
        404,
        { error: expect.stringMatching(/^there is no such path/), code: 'not_found' },
      ]);
    }
  });
});

describe('405', () => {
  test.each([
    ['DELETE', '/v0/messages', 'GET, HEAD, POST, OPTIONS'],
    ['GET', '/v0/messages/read', 'POST, OPTIONS'],
    ['PATCH', '/v0/me', 'GET, HEAD, OPTIONS'],
    ['POST', '/llms.txt', 'GET, HEAD, OPTIONS'],
    ['BREW', '/v0/me', undefined],
  ])('%s %s', async (method, path, allow) => {
    if (allow === undefined)
      return expect(await raw(home.port, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toMatch(
        / 400 /,
      );
    const answer = await ask(home.url, path, { method });
    expect({ status: answer.status, allow: answer.headers.allow }).toEqual({ status: 405, allow });
    expect(answer.json.error).toContain(allow);
  });

  test('on a page is explained in plain words', async () => {
    const answer = await ask(home.url, '/out');
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    expect(answer.text).toContain('Go back to the page with the form and send it from there.');
    expect(answer.text).not.toContain('OPTIONS');
  });

  test('OPTIONS lists the methods', async () => {
    const answer = await ask(home.url, '/v0/messages', { method: 'OPTIONS' });
    expect([answer.status, answer.headers.allow, answer.text]).toEqual([204, 'GET, HEAD, POST, OPTIONS', '']);
  });
});

describe('413', () => {
  test('by Content-Length', async () => {
    const answer = await send({ text: 'x'.repeat(70_000) });
    expect(answer).toMatchObject({
      status: 413,
      json: { code: 'too_large', error: expect.stringContaining('65536 bytes') },
    });
  });

  test('as soon as the body exceeds the limit', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const head = `POST /v0/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect(await raw(home.port, `${head}${chunk}${chunk}`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('and the connection closes once the answer was read', async () => {
    const more = 'x'.repeat(8_000_000);
    const request = `POST /v0/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 8000000\r\n\r\n${more}GET /v0/me HTTP/1.1\r\n`;
    const text = await raw(home.port, request);
    expect(text.match(/HTTP\/1\.1 \d+|Connection: \w+/g)).toEqual(['HTTP/1.1 413', 'Connection: close']);
  });

  test('but not at the limit', async () => {
    const text = 'x'.repeat(8_000);
    expect((await send(`{"text":"${text}"}${' '.repeat(65_536 - text.length - 11)}`)).status).toBe(201);
  });
});

describe('Expect: 100-continue', () => {
  const head = (length: number, bearer: string) =>
    `POST /v0/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${bearer}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
  const statuses = (text: string) => text.match(/HTTP\/1\.1 \d+|Connection: \w[\w-]+/g);

  test('is answered once the body is wanted', async () => {
    const text = await raw(home.port, head(12, key), '{"text":"a"}');
    expect(statuses(text)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 201', 'Connection: keep-alive']);
  });

  test.each([
    ['the key does not work', 12, 'wrong', 401],
    ['the body is too large', 70_000, key, 413],
  ])('is not when %s', async (_, length, bearer, status) => {
    const text = await raw(home.port, head(length, bearer));
    expect(statuses(text)).toEqual([`HTTP/1.1 ${status}`, 'Connection: close']);
  });
});

test('429 carries Retry-After, and names the limit and when it resets', async () => {
  const answer = await whoami(
    new HearthError('rate_limited', 'too many', {
      code: 'rate_limited',
      limit: 'asks_a_day',
      resetsAt: new Date(Date.now() + 90_500),
    }),
  );
  expect(answer).toMatchObject({
    status: 429,
    json: { limit: 'asks_a_day', resets_at: expect.stringMatching(/Z$/) },
  });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(90);
  expect(answer.headers['retry-after']).toMatch(/^\d+$/);
});

describe('500', () => {
  test('shows only an id, which finds the cause in the log', async () => {
    const answer = await whoami(new TypeError('the secret detail'));
    expect(answer).toMatchObject({ status: 500, json: { code: 'internal' } });
    expect(answer.text).not.toContain('secret detail');
    const id = /\(request ([0-9a-f-]{36})\)/.exec(answer.text)?.[1];
    expect(id).toBeDefined();
    expect(home.logged.some((line) => line.includes(id as string))).toBe(true);
    expect(home.logged.some((line) => line.includes('the secret detail'))).toBe(true);
  });
});

test('501 for what is not built', async () => {
  const answer = await ask(home.url, '/v0/threads', { key });
  expect(answer).toMatchObject({ status: 501, json: { code: 'not_built' } });
});

test('503 with Retry-After while a service is unavailable', async () => {
  const answer = await whoami(unavailable('messages cannot be reached'));
  expect(answer).toMatchObject({
    status: 503,
    json: { error: 'messages cannot be reached' },
    headers: { 'retry-after': '1' },
  });
});

test('no key is ever logged', () => {
  expect(home.logged.join('\n')).not.toMatch(/key-of-|Bearer/);
});
