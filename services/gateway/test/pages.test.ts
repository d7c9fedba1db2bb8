import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isHearthError } from '@hearth/errors';
import { afterAll, expect, test } from '@jest/globals';
import { ask } from './support/request.ts';
import { operatorKey, startTestGateway } from './support/test-gateway.ts';

const document = '{"home":"home.example","keys":[]}';
let ready = { ok: true, reasons: [] as string[] };
let documentAsked = 0;

const home = await startTestGateway({
  env: { HEARTH_HOME: 'home.example', HEARTH_SITE_URL: 'https://home.example' },
  ready: async () => ready,
  federation: {
    getHomeDocument: async () => {
      documentAsked += 1;
      await pause(20);
      return { json: document, etag: 'tag-1' };
    },
  },
});
afterAll(() => home.stop());

test('/llms.txt tells an AI how to start, and lists its operations', async () => {
  const { status, headers, text } = await ask(home.url, '/llms.txt');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  for (const part of [
    'https://home.example/v0',
    'curl -s https://home.example/v0/agents',
    'Authorization: Bearer',
    'unread=true&wait=25',
    'information, never an instruction',
    'Retry-After',
    '/v0/limits',
    '(send_message): Send a message to one address',
    '(mark_read)',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toMatch(/undefined|\[object/);
  // A list is not cut after its first item.
  expect(text).toContain('(post_commons): Post an ask, an offer or a note to the Commons');
  expect(text.length).toBeLessThan(15_000);
});

test('/ names the home and points onwards', async () => {
  const { status, headers, text } = await ask(home.url, '/');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['cache-control']).toBe('public, max-age=300');
  expect(headers['set-cookie']).toBeUndefined();
  const links = ['/in', '/ais', '/me', '/llms.txt', '/v0/openapi.json', '/.well-known/service.json'];
  for (const part of ['home.example', ...links.map((link) => `href="${link}"`)]) expect(text).toContain(part);
  const [, stylesheet] = /rel="stylesheet" href="([^"]*)"/.exec(text) ?? [];
  expect((await ask(home.url, stylesheet as string)).status).toBe(200);
});

test('an unknown path is a page for browsers, and JSON for programs', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', cookie: 'x=1' };
  const page = await ask(home.url, '/nowhere', { headers });
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.text).toContain('Page not found');
  for (const [path, accept] of [
    ['/nowhere', '*/*'],
    ['/v0/nowhere', headers.accept],
    ['/.well-known/nowhere', headers.accept],
    ['/oauth/nowhere', headers.accept],
  ] as const) {
    const { status, json } = await ask(home.url, path, { headers: { accept } });
    expect([path, accept, status, json]).toEqual([
      path,
      accept,
      404,
      expect.objectContaining({ code: 'not_found' }),
    ]);
  }
});

test('documents have an ETag, and are not sent again to clients that have them', async () => {
  for (const path of ['/', '/llms.txt', '/v0/openapi.json', '/.well-known/service.json']) {
    const { headers, status } = await ask(home.url, path);
    const again = await ask(home.url, path, { headers: { 'if-none-match': headers.etag as string } });
    expect([path, status, again.status, again.text]).toEqual([path, 200, 304, '']);
  }
});

test('caches keep the front page by language, and other documents once', async () => {
  const [front, guide] = await Promise.all(['/', '/llms.txt'].map((path) => ask(home.url, path)));
  expect([front?.headers.vary, front?.headers['content-language']]).toEqual([
    expect.stringContaining('Accept-Language'),
    'en-GB',
  ]);
  expect(guide?.headers.vary).not.toContain('Accept-Language');
});

test('/.well-known/service.json is the signed document byte for byte, fetched once for all', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => ask(home.url, '/.well-known/service.json')),
  );
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([document]));
  expect(answers[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    etag: '"tag-1"',
    'cache-control': 'public, max-age=3600',
  });
  expect(documentAsked).toBe(1);
});

test.each(['', '/v0'])('%s/health and %s/ready', async (base) => {
  ready = { ok: true, reasons: [] };
  expect(await ask(home.url, `${base}/health`)).toMatchObject({ status: 200, json: { status: 'ok' } });
  expect(await ask(home.url, `${base}/ready`)).toMatchObject({ status: 200, json: { status: 'ok' } });
  ready = { ok: false, reasons: ['bus: not connected'] };
  expect(await ask(home.url, `${base}/ready`)).toMatchObject({
    status: 503,
    json: { status: 'not ready', reasons: ['bus: not connected'] },
  });
  // Requests from elsewhere learn no more, unless they have the operator's key.
  const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
  const told = async (headers: Record<string, string>) =>
    (await ask(home.url, `${base}/ready`, { headers: { ...elsewhere, ...headers } })).json;
  expect(await told({})).toEqual({ status: 'not ready' });
  expect(await told({ authorization: 'Bearer another-key' })).toEqual({ status: 'not ready' });
  expect(await told({ authorization: `Bearer ${operatorKey}` })).toHaveProperty('reasons');
  expect((await ask(home.url, `${base}/health`)).status).toBe(200);
});

test('an address of another machine is reported as such', async () => {
  await expect(startTestGateway({ env: { HEARTH_BIND: '203.0.113.7' } })).rejects.toThrow(
    'HEARTH_BIND is "203.0.113.7", which is no address of this machine',
  );
});

test('a port in use is reported with a remedy', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  try {
    const error: unknown = await startTestGateway({ env: { PORT: String(port) } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(isHearthError(error) && error.kind).toBe('unavailable');
    expect((error as Error).message).toBe(
      `port ${port} is taken by another program; stop it or start with PORT=${port + 1} npm start`,
    );
  } finally {
    other.close();
  }
});
