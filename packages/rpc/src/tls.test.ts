import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@hearth/clock';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { eventually, follows } from '@hearth/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRemoteChannel, createRpcServer, type RpcServer } from './grpc.ts';
import { type Channel, createClient, createDispatcher, type Handlers } from './index.ts';
import { authority, certificates } from './test-certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-tls-'));
const secret = 'the secret of these services';
const channels: Channel[] = [];
const refusals: string[] = [];
let server: RpcServer;

function filesOf(name: keyof typeof certificates, at: string = name) {
  const [cert, key, ca] = ['cert', 'key', 'ca'].map((part) => join(folder, `${at}.${part}`)) as [
    string,
    string,
    string,
  ];
  writeFileSync(cert, certificates[name].cert);
  writeFileSync(key, certificates[name].key);
  writeFileSync(ca, authority);
  return { cert, key, ca, everyMs: 100 };
}

function clientOf(options: { tls?: ReturnType<typeof filesOf>; service?: string; peer?: string }) {
  const { tls, service = 'gateway', peer = 'messages' } = options;
  const channel = createRemoteChannel({
    address: `127.0.0.1:${server.port}`,
    service,
    peer,
    secret,
    tls,
    clock: systemClock,
    freshMs: 100,
    onRefused: (words) => refusals.push(words),
  });
  channels.push(channel);
  const client = createClient(MessagesService, { channel, service, clock: systemClock });
  return () => client.countUnread({ owner: 'x' }, { timeoutMs: 3_000 });
}

beforeAll(async () => {
  const dispatcher = createDispatcher({ clock: systemClock, onUnexpected: () => {} });
  const handlers = new Proxy({} as Handlers<typeof MessagesService>, {
    get: () => async () => ({ count: 7 }),
  });
  dispatcher.add(MessagesService, handlers);
  server = await createRpcServer({
    ...{ dispatcher, address: '127.0.0.1:0', services: ['messages'], secret, clock: systemClock },
    tls: filesOf('messages'),
  });
});

afterAll(async () => {
  for (const channel of channels) await channel.close();
  await server.stop(100);
  rmSync(folder, { recursive: true });
});

test('services whose certificates name them call each other', async () => {
  await expect(clientOf({ tls: filesOf('gateway') })()).resolves.toMatchObject({ count: 7 });
});

test('a caller without TLS, or with a certificate of an unknown authority, is refused', async () => {
  await expect(clientOf({})()).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(clientOf({ tls: filesOf('forged') })()).rejects.toMatchObject({ kind: 'unavailable' });
});

test('the secret does not let another service act as a gateway', async () => {
  await expect(clientOf({ tls: filesOf('delivery') })()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(refusals).toEqual([expect.stringContaining('certificate')]);
});

test('nothing is sent to a server whose certificate names another service', async () => {
  await expect(clientOf({ tls: filesOf('gateway'), peer: 'identity' })()).rejects.toMatchObject({
    kind: 'unavailable',
  });
});

test('a renewed certificate takes effect at once', async () => {
  const tls = filesOf('delivery', 'renewed');
  const call = clientOf({ tls });
  await expect(call()).rejects.toMatchObject({ kind: 'unavailable' });
  filesOf('gateway', 'renewed');
  await follows(async () => expect(await call()).toMatchObject({ count: 7 }));
});

test('a renewed server certificate takes effect without a restart', async () => {
  const call = clientOf({ tls: filesOf('gateway') });
  await expect(call()).resolves.toMatchObject({ count: 7 });
  filesOf('delivery', 'messages');
  const fails = () =>
    call().then(
      () => false,
      () => true,
    );
  await eventually(fails);
  filesOf('messages');
  await follows(async () => expect(await call()).toMatchObject({ count: 7 }));
});

test('invalid files stop the start with a message', () => {
  expect(() =>
    clientOf({ tls: { cert: '/nowhere', key: '/nowhere', ca: '/nowhere', everyMs: 100 } }),
  ).toThrow(/HEARTH_TLS_CERT, HEARTH_TLS_KEY and HEARTH_TLS_CA/);
});
