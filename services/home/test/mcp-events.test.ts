import type { RequestListener } from 'node:http';
import { eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { startHttpServer } from './support/http-server.ts';
import { connectMcp, type McpClient, type Revision, revisions } from './support/mcp-client.ts';
import { startWholeHome } from './support/whole-home.ts';

/** Wake-ups over MCP: events listed, polled, subscribed to and waited for, in both lifecycles, at a running home. */

interface Delivery {
  path: string;
  headers: Record<string, string>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any;
}

const deliveries: Delivery[] = [];
const open: McpClient[] = [];

const receive: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const body = JSON.parse(text);
    deliveries.push({ path: request.url!, headers: request.headers as Record<string, string>, text, body });
    const answer = request.url === '/deaf' ? {} : { challenge: body.challenge };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
};

const receiver = await startHttpServer(receive);
const home = await startWholeHome({ env: { HEARTH_DEV_CALLBACKS: receiver.url } });
const { site } = home;

afterAll(async () => {
  for (const each of open) await each.close();
  await home.stop();
  await receiver.stop();
});

async function connect(key: string, revision: Revision): Promise<McpClient> {
  const connected = await connectMcp({ site, revision, key });
  open.push(connected);
  return connected;
}

const direct = { name: 'message.direct', arguments: {} };

describe.each(revisions)('a client of revision %s', (revision) => {
  async function annAndBob() {
    const [ann, bob] = [await home.signUp({ name: 'Ann' }), await home.signUp({ name: 'Bob' })];
    const write = (text: string) => ann.post('/v0/messages', { to: bob.address, text });
    return { ann, bob, write, ...(await connect(bob.key, revision)) };
  }

  test('lists the events as REST does', async () => {
    const { bob, request } = await annAndBob();
    const { events } = await request('events/list');
    expect(events).toEqual((await bob.get('/v0/events')).body.events);
    expect(events).toHaveLength(9);
    expect(events).toContainEqual(
      expect.objectContaining({ name: 'message.direct', delivery: ['webhook', 'poll'] }),
    );
  });

  test('polls past events', async () => {
    const { request, write } = await annAndBob();
    const first = await request('events/poll', { ...direct, cursor: null });
    expect(first).toMatchObject({
      events: [],
      truncated: false,
      hasMore: false,
      nextPollMs: expect.any(Number),
    });
    const sent = [(await write('one')).body.id, (await write('two')).body.id];
    const found = await eventually(async () => {
      const answer = await request('events/poll', { ...direct, cursor: first.cursor });
      return (answer.events as unknown[]).length === 2 && answer;
    });
    expect(found.events).toEqual(
      sent.map((id) => ({
        eventId: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        name: 'message.direct',
        timestamp: expect.stringMatching(/Z$/),
        data: expect.objectContaining({ message_id: id }),
      })),
    );
    const one = await request('events/poll', { ...direct, cursor: first.cursor, maxEvents: 1 });
    expect([(one.events as unknown[]).length, one.hasMore]).toEqual([1, true]);
    const rest = await request('events/poll', { ...direct, cursor: one.cursor });
    expect(rest.events).toEqual((found.events as unknown[]).slice(1));
    const none = await request('events/poll', { ...direct, cursor: found.cursor });
    expect(none).toMatchObject({ events: [], truncated: false });
  });

  test('is woken by a signed POST, and by none after it unsubscribed', async () => {
    const { request, write } = await annAndBob();
    const url = `${receiver.url}/of-${revision}`;
    const secret = `whsec_${Buffer.alloc(32, revision.length).toString('base64')}`;
    const delivery = { mode: 'webhook', url, secret };
    const subscribed = await request('events/subscribe', { ...direct, delivery, ttlMs: 3_600_000 });
    expect(subscribed).toMatchObject({
      id: expect.stringMatching(/^sub_/),
      cursor: expect.any(String),
      truncated: false,
    });
    const { id: message } = (await write('wake up')).body;
    const woken = await eventually(() =>
      deliveries.find(({ path, body }) => path === `/of-${revision}` && body.data?.message_id === message),
    );
    expect(woken.body).toMatchObject({ name: 'message.direct', cursor: expect.any(String) });
    expect(woken.headers).toMatchObject({
      'x-mcp-subscription-id': subscribed.id,
      'webhook-id': woken.body.eventId,
    });
    expect(() => new Webhook(secret).verify(woken.text, woken.headers)).not.toThrow();

    const renewed = await request('events/subscribe', { ...direct, delivery });
    expect(renewed).toMatchObject({ id: subscribed.id, deliveryStatus: { active: true } });
    expect(Date.parse(String(renewed.refreshBefore))).toBeGreaterThan(
      Date.parse(String(subscribed.refreshBefore)),
    );

    const ended = await request('events/unsubscribe', { ...direct, delivery: { url } });
    expect(ended).not.toHaveProperty('id');
    await expect(request('events/unsubscribe', { ...direct, delivery: { url } })).rejects.toMatchObject({
      code: -32_011,
      data: { kind: 'subscription' },
    });
  });

  test('gets an error code and a message for failures', async () => {
    const { request } = await annAndBob();
    const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    const to = (url: string, more: object = {}) => ({
      ...direct,
      delivery: { mode: 'webhook', url, secret, ...more },
    });
    for (const [method, params, code, data] of [
      ['events/poll', { ...direct, cursor: 'no cursor of ours' }, -32_602, { field: 'cursor' }],
      [
        'events/poll',
        { name: 'message.direct', arguments: { group: 'x' } },
        -32_602,
        { field: 'arguments.group' },
      ],
      ['events/poll', { name: 'nothing.happens' }, -32_011, { kind: 'event' }],
      ['events/subscribe', to('http://hooks.example/x'), -32_602, { field: 'delivery.url' }],
      [
        'events/subscribe',
        to(`${receiver.url}/x`, { secret: 'whsec_AAAA' }),
        -32_602,
        { field: 'delivery.secret' },
      ],
      ['events/subscribe', to(`${receiver.url}/deaf`), -32_015, { reason: 'challenge_failed' }],
      ['events/subscribe', { ...to(`${receiver.url}/x`), name: 'decision.needs_you' }, -32_012, {}],
    ] as const) {
      await expect(request(method, params)).rejects.toMatchObject({ code, data });
    }
  });

  test('that does not support events waits with a tool', async () => {
    const { call, write } = await annAndBob();
    const begin = await call('wait_for_event', { id: 'me' });
    const { cursor } = begin.structuredContent;
    const waiting = call('wait_for_event', { id: 'me', cursor, wait: 25 });
    setTimeout(() => void write('there'), 200);
    expect((await waiting).structuredContent).toMatchObject({
      events: [{ name: 'message.direct', data: { message_id: expect.stringMatching(/^msg_/) } }],
    });
  });
});
