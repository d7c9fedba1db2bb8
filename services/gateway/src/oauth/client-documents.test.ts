import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { manualClock, minute, second, systemClock } from '@hearth/clock';
import { createGuardedHttp, type GuardedHttp, OutboundError } from '@hearth/guarded-http';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { askingNetwork } from './asking-network.ts';
import { createClientDocuments, readClientDocument } from './client-documents.ts';

let server: Server;
let http: GuardedHttp;
let origin: string;
let asked = 0;
let status = 200;
let body = '';
let location: string | undefined;
let delayMs = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    asked += 1;
    setTimeout(() => {
      response
        .writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
        .end(body);
    }, delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  http = createGuardedHttp({ clock: systemClock, devOrigins: [origin] });
});

afterAll(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  [asked, status, location, delayMs] = [0, 200, undefined, 0];
});

const describeAt = (id: string, more: object = {}) =>
  JSON.stringify({
    client_id: id,
    client_name: 'Program',
    redirect_uris: ['https://program.example/'],
    ...more,
  });

describe('a document', () => {
  const clock = manualClock('2026-03-01T12:00:00.000Z');

  test('is fetched once in a quarter of an hour, for any number of requests', async () => {
    const documents = createClientDocuments({ http, clock });
    const id = `${origin}/client.json`;
    body = describeAt(id);
    delayMs = 20;
    const all = await Promise.all(Array.from({ length: 20 }, () => documents.find(id)));
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(all[0]).toEqual({
      client_id: id,
      client_name: 'Program',
      redirect_uris: ['https://program.example/'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
    expect(asked).toBe(1);
    clock.advance(15 * minute - 1);
    await documents.find(id);
    expect(asked).toBe(1);
    clock.advance(1);
    body = describeAt(id, { client_name: 'Renamed' });
    expect((await documents.find(id))['client_name']).toBe('Renamed');
    expect(asked).toBe(2);
  });

  test('that is unavailable is fetched again after half a minute, not before', async () => {
    const documents = createClientDocuments({ http, clock });
    const id = `${origin}/missing.json`;
    status = 404;
    await expect(documents.find(id)).rejects.toMatchObject({ error: 'invalid_client' });
    [status, body] = [200, describeAt(id)];
    await expect(documents.find(id)).rejects.toMatchObject({ error: 'invalid_client' });
    expect(asked).toBe(1);
    clock.advance(30 * second);
    await documents.find(id);
    expect(asked).toBe(2);
  });

  test('with a temporary DNS failure is fetched again at once', async () => {
    const id = 'https://program.example/client.json';
    const request = jest
      .fn<GuardedHttp['request']>()
      .mockRejectedValueOnce(new OutboundError('lookup', 'the name could not be looked up now'))
      .mockResolvedValueOnce({ status: 200, headers: {}, body: Buffer.from(describeAt(id)) });
    const documents = createClientDocuments({ http: { check: (url) => new URL(url), request }, clock });
    await expect(documents.find(id)).rejects.toMatchObject({ error: 'temporarily_unavailable', status: 503 });
    expect((await documents.find(id))['client_id']).toBe(id);
  });

  test('of hanging hosts leave room: bounds for each network and for unseen ids, but not for seen ids', async () => {
    const hanging: (() => void)[] = [];
    const documents = createClientDocuments({
      http: {
        check: (url) => new URL(url),
        request: async ({ url }) => {
          if (url.includes('hang')) await new Promise<void>((resolve) => hanging.push(resolve));
          return { status: 200, headers: {}, body: Buffer.from(describeAt(url)) };
        },
      },
      clock,
    });
    const find = (network: string, id: string) =>
      askingNetwork.run(network, () => documents.find(`https://${id}.example/client.json`));
    const crowded = { error: 'invalid_client', error_description: expect.stringContaining('at once') };
    await find('home', 'known');
    clock.advance(15 * minute);
    const waiting = Array.from({ length: 64 }, (_, index) => find(`net-${index >> 3}`, `hang-${index}`));
    await expect(find('net-0', 'another')).rejects.toMatchObject(crowded);
    await expect(find('net-0', 'known')).rejects.toMatchObject(crowded);
    await expect(find('home', 'another')).rejects.toMatchObject(crowded);
    await find('home', 'known');
    for (const resolve of hanging) resolve();
    await Promise.all(waiting);
    await find('net-0', 'another');
  });

  test('is not fetched from a redirect', async () => {
    const documents = createClientDocuments({ http, clock });
    const id = `${origin}/moved.json`;
    [status, location, body] = [302, `${origin}/client.json`, describeAt(id)];
    await expect(documents.find(id)).rejects.toMatchObject({ error: 'invalid_client' });
    expect(asked).toBe(1);
  });

  test.each([
    'https://10.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/client.json',
    'https://intranet/client.json',
    'http://program.example/client.json',
    'https://program.example',
    'https://program.example/',
    'https://PROGRAM.example/client.json',
    'https://program.example/a/../client.json',
    'https://program.example/client.json#x',
    'https://user:password@program.example/client.json',
    'https://program.example:22/client.json',
    `https://program.example/${'a'.repeat(500)}`,
    'https://',
  ])('is never fetched from %s', async (id) => {
    const documents = createClientDocuments({
      http: {
        check: http.check,
        request: async () => {
          throw new Error('it was fetched');
        },
      },
      clock,
    });
    await expect(documents.find(id)).rejects.toMatchObject({ error: 'invalid_client' });
  });

  test.each([
    ['is no JSON', 'client'],
    ['is a list', '[]'],
    ['says a thing twice', '{"client_id":"ID","client_id":"ID","redirect_uris":["https://a.example/"]}'],
    ['names no client', '{"redirect_uris":["https://a.example/"]}'],
    ['names another client', describeAt('https://other.example/client.json')],
    ['holds a secret', describeAt('ID', { client_secret: 'x' })],
    ['says when its secret ends', describeAt('ID', { client_secret_expires_at: 0 })],
    ['asks for a secret', describeAt('ID', { token_endpoint_auth_method: 'client_secret_basic' })],
  ])('that %s is refused', (_, text) => {
    const id = 'https://program.example/client.json';
    expect(() => readClientDocument(id, Buffer.from(text.replaceAll('"ID"', `"${id}"`)))).toThrow(
      expect.objectContaining({ error: 'invalid_client' }),
    );
  });

  test('that is not UTF-8 is refused', () => {
    expect(() => readClientDocument('https://a.example/x', Buffer.from([0xff, 0xfe]))).toThrow(
      expect.objectContaining({ error: 'invalid_client' }),
    );
  });

  test('of more than 5 KB is not read', async () => {
    const documents = createClientDocuments({ http, clock });
    const id = `${origin}/large.json`;
    body = describeAt(id, { client_uri: 'x'.repeat(5_200) });
    await expect(documents.find(id)).rejects.toMatchObject({ error: 'invalid_client' });
  });
});
