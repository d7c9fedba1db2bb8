import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manualClock } from '@hearth/clock';
import { exportPublicJwk, type JsonObject, keyPairFromSeed, signRecord } from '@hearth/signing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Deps, run } from '../src/index.ts';

// The home's document is fetched from an address that the operator chose, within limits.
const key = keyPairFromSeed(Buffer.alloc(32, 7));
const record = signRecord(
  { v: 1, type: 'x', home: 'own.example', issued_at: '2026-01-15T10:00:00Z' },
  { key, typ: 'svc-record+jws' },
);
const listed = {
  ...exportPublicJwk(key),
  uses: ['record'],
  status: 'active',
  not_before: '2026-01-01T00:00:00Z',
};
const body = {
  home: 'own.example',
  doc_seq: 1,
  issued_at: '2026-01-15T10:00:00Z',
  valid_until: '2026-01-16T10:00:00Z',
  keys: [listed as JsonObject],
};
const document = JSON.stringify(signRecord(body, { key, typ: 'svc-home+jws' }));

let server: Server;
let site: string;
let asked: string[];
let answer: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked = [];
  answer = (_, response) => response.end(document);
});

async function verify(line: string[], more: Partial<Deps> = {}) {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await run(['record', 'verify', 'r.json', ...line], {
    env: { HEARTH_OPERATOR_KEY: 'the-operators-key', HEARTH_SITE_URL: site },
    folders: [],
    readFile: () => undefined,
    readInput: async () => Buffer.from(JSON.stringify(record)),
    fetch,
    clock: manualClock('2026-01-15T12:00:00Z'),
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
    ...more,
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

describe('the home document', () => {
  test('of the own home is fetched from the site that the tool talks to, without a key', async () => {
    expect(await verify([])).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^Valid: signed by own\.example/),
    });
    expect(await verify(['--site', site])).toMatchObject({ code: 0 });
    expect(new Set(asked)).toEqual(new Set(['GET /.well-known/service.json ']));
  });

  test('is fetched from the home named in the address', async () => {
    expect(await verify(['--home', `${site}/copies/own.json`], { env: {} })).toMatchObject({ code: 0 });
    expect(await verify(['--home', site], { env: {} })).toMatchObject({ code: 0 });
    expect(asked.map((line) => line.split(' ')[1])).toEqual([
      '/copies/own.json',
      '/.well-known/service.json',
    ]);
  });

  test('of a home other than the address says is refused', async () => {
    const served = { fetch: async () => new Response(document) };
    expect(await verify(['--home', 'https://own.example/.well-known/service.json'], served)).toMatchObject({
      code: 0,
    });
    const other = await verify(['--home', 'https://other.example/.well-known/service.json'], served);
    expect([other.code, other.printed]).toEqual([1, '']);
    expect(other.complained).toContain('serves the document of another home, own.example');
  });

  test.each<[string, RequestListener, string]>([
    ['leads elsewhere', (_, response) => response.writeHead(302, { location: '/x' }).end(), 'status 302'],
    ['is not there', (_, response) => response.writeHead(404).end('{}'), 'status 404'],
    ['is too long', (_, response) => response.end('x'.repeat(70_000)), 'larger than 65536 bytes'],
    ['is something else', (_, response) => response.end('<html>'), "is not a home's document"],
    ['breaks off', (request) => request.socket.destroy(), "cannot fetch the home's document from"],
  ])('that %s is reported', async (_, listener, words) => {
    answer = listener;
    const { code, printed, complained } = await verify([]);
    expect([code, printed]).toEqual([1, '']);
    expect(complained).toContain(words);
    expect(asked).toHaveLength(1);
  });

  test('that no server answers is reported', async () => {
    const { code, complained } = await verify(['--home', 'http://127.0.0.1:1/']);
    expect([code, complained]).toEqual([1, expect.stringContaining('no server is running there')]);
  });

  test('that arrives one byte at a time is abandoned', async () => {
    const slow: typeof fetch = (input, init) => {
      expect(init?.signal).toBeInstanceOf(AbortSignal);
      return fetch(input, { ...init, signal: AbortSignal.timeout(100) });
    };
    answer = (_, response) => void response.write('{');
    const { code, complained } = await verify([], { fetch: slow });
    expect([code, complained]).toEqual([1, expect.stringContaining('no response within 10 seconds')]);
  });

  test('that has expired is treated as an old one', async () => {
    const { code, complained } = await verify([], { clock: manualClock('2026-01-16T10:00:00Z') });
    expect([code, complained]).toEqual([1, expect.stringContaining('expired at 2026-01-16T10:00:00Z')]);
  });
});
