import { apiClient, type Reply, sharedHome } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { anonymous, expectStatus, newAi, newAis, raw, urls } from '../support/home.ts';
import { send } from '../support/messages.ts';
import { open, operations, somePath } from '../support/operations.ts';
import { expectBadRequest, notFoundBody } from '../support/refusals.ts';

function expectError({ headers, body }: Reply): void {
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(typeof body.error).toBe('string');
  expect(body.error).not.toMatch(/\bat \/|\.ts:|node_modules|select |undefined/);
}

describe('400: invalid requests', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    anonymous().request('POST', '/v0/agents', body, headers);

  test.each([
    ['nothing that is JSON', 'hello'],
    ['half of it', '{"name":"Robin"'],
    ['more behind it', '{"name":"Robin"} {}'],
    ['a comma too many', '{"name":"Robin",}'],
    ['a name twice, which two readers could read apart', '{"name":"Robin","name":"Wren"}'],
    ['a list', '[{"name":"Robin"}]'],
    ['a text', '"Robin"'],
    ['a number', '5'],
    ['NaN', '{"name":NaN}'],
    ['a bare control character', '{"name":"Ro\u0001bin"}'],
    ['deep nesting', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['white space', '   '],
  ])('a body that is %s', async (_, body) => {
    const reply = await post(body);
    expectError(reply);
    expect(reply.status).toBe(400);
  });

  test('such a body has the code bad_json', async () => {
    expectBadRequest(await post('{"name":'), { code: 'bad_json' });
    expectBadRequest(await post('[]'), { code: 'bad_json' });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'multipart/form-data',
  ])('a body sent as %s', async (type) => {
    const reply = await post('{"name":"Robin"}', { 'content-type': type });
    expectError(reply);
    expect([reply.status, reply.body.code]).toEqual([400, 'bad_json']);
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'])(
    'but not one sent as %s',
    async (type) => {
      expectStatus(await post('{"name":"Robin"}', { 'content-type': type }), 201);
    },
  );

  test('a body that is not UTF-8, or compressed', async () => {
    const latin = await raw('/v0/agents', {
      method: 'POST',
      body: Buffer.from('{"name":"Zo\xeb"}', 'latin1'),
    });
    expect([latin.status, ((await latin.json()) as { code: string }).code]).toEqual([400, 'bad_json']);
    const packed = await raw('/v0/agents', {
      method: 'POST',
      headers: { 'content-encoding': 'gzip' },
      body: '{"name":"Robin"}',
    });
    expect(packed.status).toBe(400);
  });

  test('a missing required body: the required field is named', async () => {
    const reply = await raw('/v0/agents', { method: 'POST' });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ code: 'bad_field', field: 'name' });
  });

  test('a query in place of a body, and a body in place of a query', async () => {
    expectBadRequest(await anonymous().post('/v0/agents?name=Robin', { name: 'Robin' }), {
      code: 'unknown_field',
      field: 'name',
    });
    const ai = await newAi();
    expectBadRequest(await ai.delete('/v0/ais/me', { reason: 'done' }), {
      code: 'unknown_field',
      field: 'reason',
    });
    expect((await ai.get('/v0/me')).status).toBe(200);
  });

  test.each(['/v0/cards/%zz', '/v0/messages/%ff', '/v0/messages?limit=%c3%28'])('%s', async (path) => {
    const reply = await (await newAi()).get(path);
    expectError(reply);
    expect(reply.status).toBe(400);
  });

  test.each([
    ['fromName', 'from'],
    ['Unread', 'unread'],
    ['boxx', 'box'],
  ])('an unknown parameter %s, with the nearest known one', async (name, nearest) => {
    const reply = await (await newAi()).get(`/v0/messages?${name}=a`);
    if (name !== 'fromName') expect(reply.body.error).toContain(`did you mean "${nearest}"`);
    expectBadRequest(reply, { code: 'unknown_field', field: name, words: /Known parameters: .*unread/ });
  });

  test.each([
    ['POST', '/v0/agents', 'publicKey', 'public_key'],
    ['POST', '/v0/agents', 'requestId', 'request_id'],
    ['POST', '/v0/messages', 'requestKind', 'request_kind'],
    ['POST', '/v0/messages', 'replyTo', 'reply_to'],
    ['POST', '/v0/messages/read', 'upTo', 'up_to'],
    ['POST', '/v0/ais/me/keys', 'keepOldMinutes', 'keep_old_minutes'],
  ])('%s %s with %s, which is called %s', async (method, path, field, known) => {
    const reply = await (await newAi()).request(method, path, { [field]: 'a' });
    expectBadRequest(reply, { code: 'unknown_field', field, words: new RegExp(`did you mean "${known}"`) });
  });
});

describe('401: unauthenticated requests', () => {
  const closed = operations.filter(([id]) => !open.has(id));

  test.each(closed)('%s without a key', async (_, method, template) => {
    const reply = await anonymous().request(method, somePath(template));
    expectError(reply);
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toMatch(
      /^Bearer (?:scope="[a-z]+", )?resource_metadata="http[^"]+\/\.well-known\/oauth-protected-resource"$/,
    );
    expect(reply.body.error).toMatch(/sign in first.*Authorization: Bearer/);
  });

  test.each([
    ['a key that never was', `Bearer hearth_ai_${'x'.repeat(43)}`],
    ['another scheme', 'Basic cm9iaW46c2VjcmV0'],
    ['a key without its scheme', `hearth_ai_${'x'.repeat(43)}`],
    ['nothing behind the scheme', 'Bearer '],
    ['characters that no key has', 'Bearer ü"<>'.replace('ü', '%')],
    ['a very long one', `Bearer ${'x'.repeat(4_000)}`],
  ])('with %s', async (_, authorization) => {
    const reply = await anonymous().get('/v0/me', { authorization });
    expectError(reply);
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toMatch(
      /^Bearer error="invalid_token", scope="read", resource_metadata="[^"]+"$/,
    );
  });

  test('even where no key is needed, an invalid key is refused', async () => {
    const reply = await anonymous().get('/v0/limits', { authorization: `Bearer ${'x'.repeat(40)}` });
    expect(reply.status).toBe(401);
  });
});

describe('403: forbidden requests', () => {
  test('the operator cannot act for anybody', async () => {
    const operator = apiClient(urls(), sharedHome().operatorKey);
    for (const path of ['/v0/messages', '/v0/me', '/v0/threads']) {
      const reply = await operator.get(path);
      expectError(reply);
      expect(reply.status).toBe(403);
    }
  });
});

describe('404: missing or invisible objects', () => {
  test('look the same everywhere', async () => {
    const [ai, other] = await newAis(2);
    const hidden = await send(other!, (await newAi()) as never, 'hello');
    const missing = await notFoundBody(ai!);
    const paths = [
      `/v0/messages/${hidden.id}`,
      `/v0/threads/${hidden.thread}`,
      `/v0/messages/msg_${'0'.repeat(32)}`,
      `/v0/threads/thr_${'0'.repeat(32)}`,
      '/v0/cards/@nobody',
    ];
    for (const path of paths) {
      const reply = await ai!.get(path);
      expect([path, reply.status, reply.body]).toEqual([path, 404, missing]);
      expectError(reply);
    }
  });

  test.each([
    ['/nowhere', undefined],
    ['/v0/', undefined],
    ['/v1/me', '/v0/me'],
    ['/v0/ME', '/v0/me'],
    ['/v0/message', '/v0/messages'],
    ['/threads', '/v0/threads'],
    ['/v0/card/@robin', '/v0/cards/{address}'],
    ['/v0/messages/read/more', undefined],
  ])('%s is no path, and %s is the nearest', async (path, nearest) => {
    const reply = await (await newAi()).get(path);
    expectError(reply);
    const hint = nearest === undefined ? '.' : `; did you mean ${nearest}?`;
    const error = `there is no such path${hint} GET /v0/openapi.json has them all`;
    expect([reply.status, reply.body]).toEqual([404, { error, code: 'not_found' }]);
  });
});

describe('405: unsupported methods', () => {
  test.each([
    ['PATCH', '/v0/me', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v0/agents', 'POST, OPTIONS'],
    ['PUT', '/v0/messages', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/v0/cards/@nobody', 'GET, HEAD, OPTIONS'],
    ['GET', '/v0/messages/read/', 'POST, OPTIONS'],
    ['POST', '/v0/openapi.json', 'GET, HEAD, OPTIONS'],
    ['POST', '/llms.txt', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/health', 'GET, HEAD, OPTIONS'],
    ['POST', '/.well-known/service.json', 'GET, HEAD, OPTIONS'],
  ])('%s %s', async (method, path, allow) => {
    const reply = await (await newAi()).request(method, path);
    expectError(reply);
    expect(reply.status).toBe(405);
    const methods = (text: string | null) => new Set(text?.split(', '));
    expect(methods(reply.headers.get('allow'))).toEqual(methods(allow));
  });

  test('OPTIONS lists the methods of a path, HEAD answers like GET', async () => {
    const ai = await newAi();
    const options = await ai.request('OPTIONS', '/v0/messages');
    expect([options.status, options.body]).toEqual([204, '']);
    expect(options.headers.get('allow')).toMatch(/GET, HEAD, POST/);
    const head = await raw('/v0/me', { method: 'HEAD', headers: { authorization: `Bearer ${ai.key}` } });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
  });
});

describe('413: more than 64 KiB', () => {
  const body = (bytes: number) =>
    JSON.stringify({ name: 'Robin', x: '' }).replace('""', `"${'x'.repeat(bytes - 23)}"`);

  test('is too large, whatever its content', async () => {
    expect(Buffer.byteLength(body(65_536))).toBe(65_536);
    expectBadRequest(await anonymous().request('POST', '/v0/agents', body(65_536)), {
      code: 'unknown_field',
    });
    const reply = await anonymous().request('POST', '/v0/agents', body(65_537));
    expectError(reply);
    expect([reply.status, reply.body.code]).toEqual([413, 'too_large']);
  });

  test('is too large even without an announced length', async () => {
    const chunks = Array.from({ length: 20 }, () => Buffer.alloc(8_192, 0x20));
    const reply = await raw('/v0/agents', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ReadableStream.from(chunks),
      duplex: 'half',
    } as RequestInit);
    expect(reply.status).toBe(413);
  });
});
