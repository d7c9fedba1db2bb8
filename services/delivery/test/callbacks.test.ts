import { create } from '@bufbuild/protobuf';
import { manualClock } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { AiStatus, type Caller, CallerSchema } from '@hearth/proto/common/v1/caller';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import { CallerKind } from '@hearth/proto/options';
import { eventually, fake, ids } from '@hearth/testkit';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { addressedTo } from '@hearth/webhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { standInFederation } from './stand-in-federation.ts';
import { startDelivery, type TestDelivery } from './start-delivery.ts';
import { expectSigned, startReceiver, type WakeUpReceiver } from './wake-up-receiver.ts';

const second = 1_000;

let clock = manualClock('2026-03-01T12:00:00.000Z');
let receiver: WakeUpReceiver;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let home: TestDelivery;
const federation = standInFederation();
/** approval (uuid) -> its callback, as approvals stores it. */
const posts = new Map<string, { url: string; body: string }>();
const source = fake(
  SendSourceService,
  {
    prepareSends: async ({ sends }) => ({
      sends: sends.map(({ kind, id }) => {
        const value = kind === 'callback' ? posts.get(id) : undefined;
        return value === undefined ? {} : { content: { case: 'post', value } };
      }),
    }),
  },
  'approvals',
);

async function start(): Promise<void> {
  const env = {
    HEARTH_DEV_CALLBACKS: receiver.origin,
    HEARTH_SEAL_KEY: Buffer.alloc(32, 7).toString('base64url'),
  };
  home = await startDelivery(env, [federation.fake, source], { databaseUrl: database.url, clock });
}

beforeAll(async () => {
  receiver = await startReceiver({ now: () => clock.now() });
  database = await createTestDatabase();
  await start();
});
afterEach(() => {
  receiver.arrived.length = 0;
  receiver.always({ status: 204 });
});
afterAll(async () => {
  await home.stop();
  await receiver.stop();
  await database.drop();
});

/** Settles an ask whose asker wants a callback. */
async function settle({ url = receiver.url, asker = ids.uuid() } = {}) {
  const approval = ids.uuid();
  const body = JSON.stringify({ id: printId('apr', approval), status: 'approved' });
  posts.set(approval, { url, body });
  const value = { approval: printId('apr', approval), status: 'approved', asker, callback: true };
  const event = home.event({ case: 'approvalSettled', value });
  await home.publishAll([event]);
  return { approval, asker, body, event, id: printId('apr', approval) };
}

const rowOf = async (approval: string) =>
  await home.database.db.one<{ status: number; attempts: number; last_error: string | null }>(
    sql`select status, attempts, last_error from delivery.callbacks where approval = ${approval}`,
  );
const countOf = async (approval: string) => {
  const text = 'select count(*)::int as n from delivery.callbacks where approval = $1';
  return (await home.database.db.one<{ n: number }>({ text, values: [approval] })).n;
};
const becomes = (approval: string, row: Partial<Awaited<ReturnType<typeof rowOf>>>) =>
  eventually(async () => {
    const now = await rowOf(approval);
    return Object.entries(row).every(([name, value]) => now[name as keyof typeof now] === value);
  });

const [waiting, delivered, failed, notSent] = [1, 2, 3, 4];

describe('the address of a callback', () => {
  const newAsker = () =>
    create(CallerSchema, { kind: CallerKind.AI, id: ids.uuid(), aiStatus: AiStatus.UNCLAIMED });
  const verify = (caller: Caller, url = receiver.url) => home.callbacks.verifyCallback({ url }, { caller });

  test('returns a challenge signed by the home, once in 30 days for each asker', async () => {
    const [robin, wren] = [newAsker(), newAsker()];
    await verify(robin);
    const [challenge] = receiver.arrived;
    expect(challenge!.body).toEqual({
      to: receiver.url,
      type: 'verification',
      challenge: expect.stringMatching(/^\w{43}$/),
    });
    expect(challenge!.headers['webhook-id']).toMatch(/^msg_verification_[0-9a-f]{32}$/);
    expect(challenge!.headers).not.toHaveProperty('x-mcp-subscription-id');
    expectSigned(challenge!, [], federation);
    await verify(robin);
    expect(receiver.arrived).toHaveLength(1);
    await verify(wren);
    expect(receiver.arrived).toHaveLength(2);
  });

  test('that does not return it is refused, with the reason, and challenges are counted', async () => {
    const otter = newAsker();
    const wrong = { kind: 'bad_request', details: { code: 'callback_challenge_failed', field: 'callback' } };
    receiver.challenged({ status: 200, body: '{"challenge":"mine"}' });
    await expect(verify(otter)).rejects.toMatchObject({ ...wrong, details: { reason: 'challenge_failed' } });
    receiver.challenged({ status: 404 });
    for (let turn = 1; turn < 10; turn += 1) await expect(verify(otter)).rejects.toMatchObject(wrong);
    await expect(verify(otter)).rejects.toMatchObject({
      kind: 'rate_limited',
      details: { limit: 'challenges_a_host_a_day' },
    });
    expect(receiver.arrived).toHaveLength(10);
    receiver.challenged(null);
  });
});

describe('a callback', () => {
  test('is sent once, signed by the home, however often its event arrives', async () => {
    const { approval, body, event, id } = await settle();
    await becomes(approval, { status: delivered, attempts: 1 });
    const [arrived] = receiver.arrived;
    expect(arrived).toMatchObject({ raw: addressedTo(receiver.url, body), headers: { 'webhook-id': id } });
    expectSigned(arrived!, [], federation);
    await home.publishAll([event]);
    home.clock.advance(3_600 * second);
    await home.runJob('delivery: send-due');
    await eventually(async () => {
      const sql = 'select count(*)::int as n from delivery.destinations where kind = 4';
      return (await home.database.db.one<{ n: number }>({ text: sql })).n === 0;
    });
    expect(receiver.arrived).toHaveLength(1);
  });

  test('is not created for an ask without an address', async () => {
    const approval = ids.uuid();
    const value = { approval: printId('apr', approval), status: 'approved', asker: ids.uuid() };
    await home.publish({ case: 'approvalSettled', value });
    expect(await countOf(approval)).toBe(0);
  });

  test('left by the previous version is sent', async () => {
    const approval = ids.uuid();
    posts.set(approval, { url: receiver.url, body: '{"id":"before"}' });
    const value = { kind: 'callback', id: approval, asker: ids.uuid() };
    await home.publish({ case: 'sendDue', value });
    await becomes(approval, { status: delivered });
    expect(receiver.arrived.map(({ raw }) => raw)).toEqual([addressedTo(receiver.url, '{"id":"before"}')]);
  });

  test.each([
    ['an error', { status: 500 }, 'http_5xx'],
    ['a redirection', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'http_3xx'],
    ['not found', { status: 404 }, 'http_4xx'],
  ])('answered with %s is repeated unchanged after 5 seconds and 5 minutes', async (_, answer, error) => {
    receiver.next(answer, answer);
    const { approval } = await settle();
    await becomes(approval, { status: waiting, attempts: 1, last_error: error });
    home.clock.advance(4 * second);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(receiver.arrived).toHaveLength(1);
    home.clock.advance(2 * second);
    await becomes(approval, { attempts: 2 });
    home.clock.advance(6 * 60 * second);
    await becomes(approval, { status: delivered });
    expect(new Set(receiver.arrived.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(receiver.arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.arrived.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
  });

  test('obeys Retry-After, and ends when the address is gone', async () => {
    receiver.next({ status: 503, headers: { 'retry-after': '120' } }, { status: 410 });
    const { approval } = await settle();
    await becomes(approval, { attempts: 1 });
    home.clock.advance(60 * second);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(receiver.arrived).toHaveLength(1);
    home.clock.advance(61 * second);
    await becomes(approval, { status: failed, attempts: 2 });
    expect(receiver.arrived).toHaveLength(2);
  });

  test('is given up after ten attempts', async () => {
    receiver.always({ status: 500 });
    const { approval } = await settle();
    for (let attempts = 1; attempts < 10; attempts += 1) {
      await becomes(approval, { status: waiting, attempts });
      home.clock.advance(27 * 3_600 * second);
    }
    await becomes(approval, { status: failed, attempts: 10 });
  });

  test('is delivered by a good status, even with a large answer', async () => {
    receiver.next({ status: 200, body: 'x'.repeat(200_000) });
    await becomes((await settle()).approval, { status: delivered });
  });

  test('goes to no address of the machine or its network', async () => {
    const { approval } = await settle({ url: 'http://127.0.0.1:9/hook' });
    await becomes(approval, { status: waiting, attempts: 1, last_error: 'refused_address' });
  });

  test('is checked before each attempt, and ends unsent when it may no longer go', async () => {
    receiver.next({ status: 500 });
    const { approval } = await settle();
    await becomes(approval, { attempts: 1 });
    posts.delete(approval);
    home.clock.advance(6 * second);
    await becomes(approval, { status: notSent, attempts: 1 });
    expect(receiver.arrived).toHaveLength(1);
  });

  test('that is pending is sent by the process that starts next', async () => {
    receiver.next({ status: 500 });
    const { approval, body } = await settle();
    await becomes(approval, { attempts: 1 });
    clock = manualClock(new Date(home.clock.now() + 6 * second).toISOString());
    await home.stop();
    await start();
    await becomes(approval, { status: delivered });
    expect(receiver.arrived.map(({ raw }) => raw)).toEqual(Array(2).fill(addressedTo(receiver.url, body)));
  });

  test('uses no attempt while the home cannot sign', async () => {
    federation.signs = false;
    const { approval } = await settle();
    home.clock.advance(6 * second);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await rowOf(approval)).toMatchObject({ status: waiting, attempts: 0 });
    federation.signs = true;
    home.clock.advance(6 * second);
    await becomes(approval, { status: delivered, attempts: 1 });
  });

  test('waits while the approvals service is away', async () => {
    home.peers.away('approvals');
    const { approval } = await settle();
    home.clock.advance(6 * second);
    await new Promise((resolve) => setTimeout(resolve, 500));
    home.peers.back('approvals');
    home.clock.advance(6 * second);
    await becomes(approval, { status: delivered, attempts: 1 });
  });

  test('two hundred at once each arrive once', async () => {
    const settled = await Promise.all(Array.from({ length: 200 }, () => settle()));
    await eventually(() => receiver.arrived.length >= 200);
    const sent = receiver.arrived.map(({ headers }) => headers['webhook-id']);
    expect(new Set(sent)).toEqual(new Set(settled.map(({ id }) => id)));
    expect(sent).toHaveLength(200);
  });

  test('is deleted a month after it ended', async () => {
    const { approval } = await settle();
    await becomes(approval, { status: delivered });
    home.clock.advance(31 * 86_400 * second);
    await home.runJob('delivery: purge-callbacks');
    expect(await countOf(approval)).toBe(0);
  });
});
