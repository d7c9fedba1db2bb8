import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { assets, paths } from '@hearth/web';
import { afterAll, expect, test } from '@jest/globals';
import { legacy } from './mcp/rpc.ts';
import { ask } from './support/request.ts';
import { startTestGateway } from './support/test-gateway.ts';

const key = 'key-of-robin';
const long = 'x'.repeat(2_000);

const home = await startTestGateway({
  messages: {
    listMessages: async () => ({ messages: [{ text: long }] }),
    sendMessage: async () => ({ text: long }),
  },
  profile: { getCard: async ({ address }) => ({ address, description: address === '@long' ? long : '' }) },
});
afterAll(() => home.stop());

const get = (path: string, codings: string, more: object = {}) =>
  ask(home.url, path, { key, headers: { 'accept-encoding': codings }, ...more });

const unpack: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

test.each([
  [paths.openApi, 'gzip, deflate, br', 'br'],
  [paths.guide, 'GZIP;q=0.5', 'gzip'],
  [assets.stylesheet.path, 'br;q=0, gzip', 'gzip'],
])('%s, asked for in %s, comes in %s, and is the same', async (path, codings, coding) => {
  const plain = await get(path, 'identity');
  const packed = await get(path, codings);
  expect([packed.headers['content-encoding'], packed.headers.vary]).toEqual([coding, 'Accept-Encoding']);
  expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
  expect(unpack[coding]!(packed.bytes).toString()).toBe(plain.text);
  const { etag } = packed.headers;
  expect(etag).toBe(plain.headers.etag);
  if (etag === undefined) return;
  expect((await get(path, codings, { headers: { 'if-none-match': etag } })).status).toBe(304);
});

test.each(['/v0/messages', '/v0/cards/@long'])('%s comes in gzip', async (path) => {
  const { status, headers, bytes } = await get(path, 'br, gzip');
  expect([status, headers['content-encoding']]).toEqual([200, 'gzip']);
  expect(gunzipSync(bytes).toString()).toBe((await get(path, '')).text);
});

test('so do answers over MCP', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  const answer = await legacy(home.url, key)('tools/list', undefined, { headers });
  expect(answer.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(answer.bytes).toString()).toContain('whoami');
});

test('short answers, answers to changes, and answers for people or sign-ins are not compressed', async () => {
  const codings = 'br, gzip';
  const body = { to: '@x', text: 'a' };
  const oauth = { 'accept-encoding': codings, 'content-type': 'application/json' };
  for (const { headers } of [
    await get('/v0/cards/@short', codings),
    await get('/v0/messages', codings, { body, headers: oauth }),
    await get(paths.signIn, codings),
    await get('/oauth/register', codings, { body: { redirect_uris: [] }, headers: oauth }),
    await get('/oauth/authorize?client_id=x', codings),
  ]) {
    expect(headers['content-encoding']).toBeUndefined();
  }
});

test('answers beyond the bound on concurrent compression are sent uncompressed', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => get('/v0/messages', 'gzip')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const texts = answers.map(({ headers, bytes }) =>
    (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString(),
  );
  expect(new Set(texts).size).toBe(1);
});
