import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, type Home, HomeError, pages } from '@hearth/sdk';
import { freePort } from '@hearth/testkit/free-port';
import { startTcpProxy } from '@hearth/testkit/tcp-proxy';
import { afterAll, expect, test } from '@jest/globals';
import { newApp, newPerson } from '../support/apps.ts';
import { urls } from '../support/home.ts';

const ending: (() => unknown)[] = [];
afterAll(() => Promise.all(ending.map((end) => end())));

interface Caller {
  home: Home;
  key: string;
  address: string;
}

async function signedUp(url = urls()[0]!): Promise<Caller> {
  const { address, connector_key: key = '' } = await connect({ url }).sign_up({ name: 'Robin' });
  return { home: connect({ url, key }), key, address };
}

/** A web server that is not part of a home, and the requests that it received. */
async function stranger(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ending.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

test('a wait returns the message that the other side sends', async () => {
  const [robin, wren] = await Promise.all([signedUp(), signedUp()]);
  const waiting = wren.home.list_messages({ unread: true, wait: 25 });
  const sent = await robin.home.send_message({ to: wren.address, text: 'Hello, Wren!' });
  const { messages } = await waiting;
  expect(messages).toMatchObject([{ id: sent.id, from: robin.address, text: 'Hello, Wren!' }]);
  expect(await wren.home.mark_read({ ids: [sent.id] })).toMatchObject({ read: 1 });
});

test('a list is iterated page by page', async () => {
  const [robin, wren] = await Promise.all([signedUp(), signedUp()]);
  for (const text of ['1', '2', '3', '4', '5']) await robin.home.send_message({ to: wren.address, text });
  const seen: string[][] = [];
  for await (const { messages } of pages(wren.home.list_messages, { limit: 2 }))
    seen.push(messages.map(({ text }) => text));
  expect(seen).toEqual([['5', '4'], ['3', '2'], ['1']]);
});

test('an app acts for a person, with a handle in the path', async () => {
  const app = await newApp();
  const ada = await newPerson(app);
  const home = connect({ url: urls()[0]!, key: app.key, actingFor: ada.id });
  expect(await home.whoami()).toMatchObject({ address: ada.address });
  expect(await home.card({ address: ada.address })).toMatchObject({ address: ada.address });
});

test('a calendar file is returned as text', async () => {
  const [robin, wren] = await Promise.all([signedUp(), signedUp()]);
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const slot = `${day}T10:00`;
  const { id } = await robin.home.offer_times({
    title: 'A walk',
    to: [wren.address],
    time_zone: 'Europe/Berlin',
    slots: [{ starts_at: slot, ends_at: `${day}T11:00` }],
  });
  const meeting = await wren.home.book_meeting({ offer: id, slot });
  expect(await wren.home.get_meeting_ics({ id: meeting.id })).toMatch(/^BEGIN:VCALENDAR\r\n/);
});

test("a refusal has the home's message, and names the invalid field", async () => {
  const { home } = await signedUp();
  const long = await failure(home.send_message({ to: '@robin', text: 'x', title: 'x'.repeat(141) }));
  expect(long).toBeInstanceOf(HomeError);
  expect(long).toMatchObject({ status: 400, refusal: { code: 'bad_field', field: 'title' } });
  expect((long as HomeError).message).toContain('title');
  expect(await failure(home.get_message({ id: `msg_${'0'.repeat(32)}` }))).toMatchObject({ status: 404 });
  expect(await failure(connect({ url: urls()[0]! }).whoami())).toMatchObject({ status: 401 });
  expect(await failure(home.get_message({ id: '..' }))).toEqual(new TypeError('id must be given; got ".."'));
});

test('a message whose response was lost is resent, and exists once', async () => {
  const [robin, wren] = await Promise.all([signedUp(), signedUp()]);
  const [port, to] = [await freePort(), Number(new URL(urls()[0]!).port)];
  const line = await startTcpProxy(port, to);
  ending.push(() => line.stop());
  const home = connect({ url: `http://localhost:${port}`, key: robin.key });
  await home.whoami();
  line.set({ cut: 'answers' });
  const sending = home.send_message({ to: wren.address, text: 'Once' });
  await wren.home.list_messages({ unread: true, wait: 25 });
  line.set({ cut: 'none' });
  line.breakAll();
  const { id } = await sending;
  expect((await wren.home.list_messages()).messages).toMatchObject([{ id, text: 'Once' }]);
});

test('a sign-up whose response was lost is not resent, since a second response contains no key', async () => {
  let asked = 0;
  const url = await stranger((request) => {
    asked += 1;
    request.socket.destroy();
  });
  expect(await failure(connect({ url }).sign_up({ name: 'Robin' }))).toMatchObject({ name: 'TypeError' });
  expect(asked).toBe(1);
  expect(await failure(connect({ url }).limits())).toMatchObject({ name: 'TypeError' });
  expect(asked).toBe(4);
});

test('a request to a busy home is retried, within the given time', async () => {
  const bodies: string[] = [];
  const url = await stranger((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(503, { 'Retry-After': '0' }).end('<p>back soon</p>');
    });
  });
  const error = await failure(
    connect({ url, key: 'k', retries: 1 }).send_message({ to: '@wren', text: 'x' }),
  );
  expect(error).toMatchObject({ status: 503, retryAfter: 0 });
  expect((error as HomeError).message).toContain('status 503 and something that no home says');
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toBe(bodies[0]);
  expect(JSON.parse(bodies[0]!)).toMatchObject({
    text: 'x',
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('a short Retry-After is respected, and a long one is not waited for', async () => {
  let left = 1;
  const url = await stranger((_, response) => {
    if (left-- > 0) response.writeHead(429, { 'Retry-After': '1' }).end('{"error":"too many"}');
    else response.writeHead(429, { 'Retry-After': '3600' }).end('{"error":"too many"}');
  });
  const began = performance.now();
  expect(await failure(connect({ url }).sign_up({ name: 'Robin' }))).toMatchObject({ retryAfter: 3_600 });
  expect(performance.now() - began).toBeGreaterThan(1_000);
  expect(left).toBe(-1);
});

test('the key is never sent to a host of a redirect', async () => {
  let asked = 0;
  const elsewhere = await stranger((_, response) => {
    asked += 1;
    response.end('{}');
  });
  const url = await stranger((_, response) => response.writeHead(307, { location: elsewhere }).end());
  const error = await failure(connect({ url, key: 'k' }).whoami());
  expect(error).toMatchObject({ status: 307, refusal: undefined });
  expect(asked).toBe(0);
});

test('a caller can abort a held call, and a call times out by itself', async () => {
  const { home } = await signedUp();
  const ended = new AbortController();
  const waiting = failure(home.list_messages({ unread: true, wait: 25 }, { signal: ended.signal }));
  ended.abort(new Error('enough'));
  expect(await waiting).toEqual(new Error('enough'));
  const url = await stranger(() => {});
  const late = failure(connect({ url, timeoutMs: 50, retries: 0 }).limits());
  expect(await late).toMatchObject({ name: 'TimeoutError' });
});

test('a page of another site is not taken for a response', async () => {
  const url = await stranger((_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
  );
  expect(await failure(connect({ url }).limits())).toMatchObject({ status: 200, refusal: undefined });
});
