import { timestampDate } from '@bufbuild/protobuf/wkt';
import { day, hour, minute, second } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { eventually } from '@hearth/testkit';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { ids } from './stand-ins.ts';

import { callerOf } from './start-streams.ts';
import { newSecret, secret, startSubscriptions } from './start-subscriptions.ts';
import { expectSigned } from './wake-up-receiver.ts';

const home = await startSubscriptions();
afterAll(() => home.stop());
afterEach(async () => {
  home.receiver.always({ status: 204 });
  await home.quiet();
  // Subscriptions that remain must not affect the next test.
  await home.run(sql`update delivery.subscription_sends set status = 3, due_at = null where status = 1`);
  home.receiver.arrived.length = 0;
});

const idsOf = (events: readonly { eventId: string }[]) => events.map(({ eventId }) => eventId);

describe('a wake-up', () => {
  test('is posted once, signed with the secret and by the home, with a cursor to continue from', async () => {
    const robin = home.newAi();
    const { id, cursor } = await home.subscribe(robin);
    const event = await home.message(robin, { messageId: 'msg_a', thread: 'thr_1' });
    await home.quiet();
    const [arrived, ...more] = home.receiver.messages();
    expect(more).toEqual([]);
    expect(arrived!.headers).toMatchObject({ 'webhook-id': event.id, 'x-mcp-subscription-id': id });
    expect(arrived!.body).toEqual({
      to: home.receiver.url,
      eventId: event.id,
      name: 'message.direct',
      timestamp: new Date(home.clock.now()).toISOString(),
      data: expect.objectContaining({ message_id: 'msg_a', thread: 'thr_1', box: 'inbox' }),
      cursor: expect.any(String),
    });
    expectSigned(arrived!, [secret], home.federation);
    // The same as in a poll, and nothing after its cursor.
    const [polled] = (await home.poll(robin, { cursor })).events;
    expect(polled).toMatchObject({ eventId: event.id, name: 'message.direct', data: arrived!.body.data });
    expect((await home.poll(robin, { cursor: arrived!.body.cursor })).events).toEqual([]);
    const [listed] = await home.list(robin);
    expect(timestampDate(listed!.deliveryStatus!.lastDeliveryAt!).getTime()).toBe(home.clock.now());
  });

  test('is sent within a moment of its event', async () => {
    const robin = await home.subscriber();
    const took: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      const start = performance.now();
      const [id] = await home.wake(robin);
      await eventually(() => home.receiver.eventIds().includes(id!));
      took.push(performance.now() - start);
    }
    took.sort((a, b) => a - b);
    // Far above the time it takes, and far below the second after which a sweep would find it.
    expect(took[10]).toBeLessThan(700);
  });

  test('goes to every matching subscription, and to no other', async () => {
    const ada = home.newPerson();
    const robin = home.newAi(ada);
    const club = { id: ids.uuid(), handle: 'club', name: 'Club', app: '' };
    home.world.groups.push(club);
    home.world.members.set(ada.id, [club.id]);
    const at = (path: string) => `${home.receiver.origin}/${path}`;
    const all = await home.subscribe(robin, { url: at('all') });
    const narrow = await home.subscribe(robin, { url: at('club'), group: printId('grp', club.id) });
    await home.subscribe(robin, { url: at('answers'), name: 'ask.answered' });
    await home.subscribe(home.newAi());
    await home.message(robin);
    await home.message(robin, { groups: [club.id] });
    await home.quiet();
    const to = home.receiver.messages().map(({ headers }) => headers['x-mcp-subscription-id']);
    expect(to.sort()).toEqual([all.id, all.id, narrow.id].sort());
  });

  test('is signed with both secrets for a day after a rotation', async () => {
    const robin = await home.subscriber();
    const next = newSecret();
    await home.subscribe(robin, { secret: next });
    await home.woken(robin);
    expectSigned(home.receiver.messages().at(-1)!, [next, secret], home.federation);
    // A renewal with the current secret changes nothing.
    await home.pass(23 * hour);
    await home.subscribe(robin, { secret: next });
    await home.woken(robin);
    expectSigned(home.receiver.messages().at(-1)!, [next, secret], home.federation);
    await home.pass(hour + second);
    await home.woken(robin);
    expectSigned(home.receiver.messages().at(-1)!, [next], home.federation);
  });

  test('is not sent when it is older than the subscription’s limit', async () => {
    const robin = await home.subscriber({ maxAgeMs: BigInt(minute) });
    home.receiver.always({ status: 503 });
    await home.woken(robin);
    await home.pass(5 * second);
    await home.pass(30 * second);
    expect(home.receiver.messages()).toHaveLength(3);
    home.receiver.always({ status: 204 });
    await home.pass(2 * minute);
    expect(home.receiver.messages()).toHaveLength(3);
  });
});

describe('a failing address', () => {
  test('is tried at 0, 5 s, 30 s, 2 min and 8 min, each time newly signed, and gets the gap notice once', async () => {
    const robin = home.newAi();
    const { cursor: before } = await home.subscribe(robin);
    home.receiver.always({ status: 503 });
    const start = home.clock.now();
    const [lost] = await home.woken(robin);
    for (const pause of [5 * second, 30 * second, 2 * minute, 8 * minute]) {
      await home.pass(pause - second);
      const early = home.receiver.messages().length;
      await home.pass(second);
      expect(home.receiver.messages().length).toBe(early + 1);
    }
    const tries = home.receiver.messages();
    expect(tries.map(({ at }) => (at - start) / second)).toEqual([0, 5, 35, 155, 635]);
    expect(new Set(tries.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(5);
    expect(new Set(tries.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([lost]));
    for (const each of tries) expectSigned(each, [secret], home.federation);
    expect((await home.list(robin))[0]!.deliveryStatus).toMatchObject({
      active: true,
      lastError: 'http_5xx',
    });

    home.receiver.always({ status: 204 });
    const [next] = await home.woken(robin);
    const [taken, gap, ...more] = home.receiver.messages().slice(5);
    expect(more).toEqual([]);
    expect(taken!.body.eventId).toBe(next);
    expect(gap!.body).toEqual({ to: home.receiver.url, type: 'gap', cursor: expect.any(String) });
    expect(gap!.headers['webhook-id']).toMatch(/^msg_gap_[0-9a-f]{32}$/);
    expectSigned(gap!, [secret], home.federation);
    await home.pass(2 * hour);
    await home.woken(robin);
    expect(home.receiver.ofType('gap')).toHaveLength(1);

    // Everything missed can be polled from the gap's cursor on.
    const polled = await home.poll(robin, { cursor: gap!.body.cursor });
    expect(idsOf(polled.events)).toEqual([lost, next, expect.any(String)]);
    expect(idsOf((await home.poll(robin, { cursor: before })).events)).toEqual(idsOf(polled.events));
    const { deliveryStatus } = (await home.list(robin))[0]!;
    expect(deliveryStatus!.lastError).toBeUndefined();
    expect(deliveryStatus!.failedSince).toBeUndefined();
  });

  test('gets the gap notice as soon as it answers, though nothing else happens', async () => {
    const robin = await home.subscriber();
    home.receiver.always({ status: 410 });
    await home.woken(robin);
    await home.pass(11 * minute);
    expect(home.receiver.ofType('gap')).toHaveLength(1);
    home.receiver.always({ status: 204 });
    await home.pass(21 * minute);
    const gaps = home.receiver.ofType('gap');
    expect(gaps).toHaveLength(2);
    expect(new Set(gaps.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await home.pass(3 * hour);
    expect(home.receiver.ofType('gap')).toHaveLength(2);
  });

  test.each([410, 413])('that answers %i does not get that event again', async (status) => {
    const robin = await home.subscriber();
    home.receiver.next({ status });
    await home.woken(robin);
    await home.pass(5 * minute);
    expect(home.receiver.messages()).toHaveLength(1);
  });

  test.each([
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, 'http_4xx'],
    ['not found', { status: 404 }, 'http_4xx'],
    ['a server error', { status: 500 }, 'http_5xx'],
  ])('by %s is shown with an error code of the protocol', async (_what, manner, lastError) => {
    const robin = await home.subscriber();
    home.receiver.next(manner);
    const failedAt = home.clock.now();
    await home.wake(robin);
    await eventually(async () => (await home.list(robin))[0]!.deliveryStatus!.lastError !== undefined);
    const { deliveryStatus } = (await home.list(robin))[0]!;
    expect(deliveryStatus).toMatchObject({ active: true, lastError });
    expect(timestampDate(deliveryStatus!.failedSince!).getTime()).toBe(failedAt);
    await home.pass(5 * second);
    expect(home.receiver.messages()).toHaveLength(2);
    expect(
      new Set(home.receiver.messages().map(({ headers }) => headers['x-mcp-subscription-id'])).size,
    ).toBe(1);
  });

  test('that answers one byte a second, or never, is given up after five seconds', async () => {
    const robin = await home.subscriber();
    const slow = { url: home.other.url };
    await home.subscribe(robin, slow);
    home.receiver.next((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      const timer = setInterval(() => response.write('x'), 1_000);
      response.on('close', () => clearInterval(timer));
    });
    home.other.next(() => {});
    const start = performance.now();
    await home.wake(robin);
    await eventually(async () =>
      (await home.list(robin)).every((each) => each.deliveryStatus!.lastError === 'timeout'),
    );
    expect(performance.now() - start).toBeGreaterThan(4_500);
    expect(performance.now() - start).toBeLessThan(14_000);
  });

  test('does not include one that accepts and answers with megabytes', async () => {
    const robin = await home.subscriber();
    home.receiver.always({ status: 200, body: 'x'.repeat(5_000_000) });
    await home.wake(robin);
    await home.pass(minute);
    expect(home.receiver.messages()).toHaveLength(1);
  });

  test('holds up no other subscription', async () => {
    const robin = await home.subscriber();
    await home.subscribe(robin, { url: home.other.url });
    home.other.next(
      () => {},
      () => {},
      () => {},
    );
    for (let index = 0; index < 3; index += 1) {
      const start = performance.now();
      const [id] = await home.wake(robin);
      await eventually(() => home.receiver.eventIds().includes(id!));
      expect(performance.now() - start).toBeLessThan(2_500);
    }
  });

  test('uses no attempt while the home cannot sign', async () => {
    const robin = await home.subscriber();
    home.federation.signs = false;
    await home.woken(robin);
    home.federation.signs = true;
    expect(home.receiver.messages()).toEqual([]);
    expect((await home.list(robin))[0]!.deliveryStatus!.lastError).toBeUndefined();
    await home.pass(6 * second);
    expect(home.receiver.messages()).toHaveLength(1);
  });
});

describe('a cursor', () => {
  test('in a delivery does not pass events that are still pending', async () => {
    const robin = home.newAi();
    const { cursor: start } = await home.subscribe(robin);
    home.receiver.next({ status: 503 });
    const [first] = await home.woken(robin);
    const [second_] = await home.woken(robin);
    const [, taken] = home.receiver.messages();
    expect(taken!.body.eventId).toBe(second_);
    expect(idsOf((await home.poll(robin, { cursor: taken!.body.cursor })).events)).toEqual([first, second_]);
    const renewed = await home.subscribe(robin);
    expect(idsOf((await home.poll(robin, { cursor: renewed.cursor })).events)).toEqual([first, second_]);
    await home.pass(5 * second);
    const last = home.receiver.messages().at(-1)!;
    expect(last.body.eventId).toBe(first);
    // Its own position: the later wake-up was delivered long ago, but no waiting one comes before it.
    expect(idsOf((await home.poll(robin, { cursor: last.body.cursor })).events)).toEqual([second_]);
    expect((await home.poll(robin, { cursor: (await home.list(robin))[0]!.cursor })).events).toEqual([]);
    expect(start).not.toBe(last.body.cursor);
  });

  test('given again repeats the missed events, with the same ids', async () => {
    const robin = await home.subscriber();
    await home.woken(robin);
    const { cursor } = home.receiver.messages().at(-1)!.body;
    home.receiver.always({ status: 410 });
    const missed = await home.woken(robin, 3);
    home.receiver.always({ status: 204 });
    home.receiver.arrived.length = 0;
    const again = await home.subscribe(robin, { cursor });
    expect(again.truncated).toBe(false);
    await home.quiet();
    expect(home.receiver.eventIds().sort()).toEqual([...missed].sort());
  });

  test('given again sends events that wait for a retry at once', async () => {
    const robin = await home.subscriber();
    await home.woken(robin);
    const { cursor } = home.receiver.messages().at(-1)!.body;
    home.receiver.always({ status: 503 });
    const missed = await home.woken(robin, 3);
    for (const pause of [5 * second, 30 * second]) await home.pass(pause);
    home.receiver.always({ status: 204 });
    home.receiver.arrived.length = 0;
    await home.subscribe(robin, { cursor });
    await home.quiet();
    expect(home.receiver.eventIds().sort()).toEqual([...missed].sort());
    await home.pass(2 * minute);
    expect(home.receiver.eventIds()).toHaveLength(3);
  });

  test('starts a subscription with the events after it', async () => {
    const { robin, cursor } = await home.poller();
    const before = await home.wake(robin, 3);
    const made = await home.subscribe(robin, { cursor });
    expect(made.truncated).toBe(false);
    await home.quiet();
    expect(home.receiver.eventIds().sort()).toEqual([...before].sort());
    // Without a cursor nothing earlier is sent.
    await home.subscribe(robin, { url: home.other.url });
    await home.quiet();
    expect(home.other.messages().filter(({ body }) => before.includes(body.eventId))).toEqual([]);
  });

  test('from before the retention starts later, and says so', async () => {
    const { robin, cursor } = await home.poller();
    await home.wake(robin);
    await home.pass(8.5 * day);
    const [kept] = await home.wake(robin);
    const made = await home.subscribe(robin, { cursor });
    expect(made.truncated).toBe(true);
    await home.quiet();
    expect(home.receiver.eventIds()).toEqual([kept]);
  });

  test('with a maximum age starts later, and says so', async () => {
    const { robin, cursor } = await home.poller();
    await home.wake(robin);
    await home.pass(hour);
    const [young] = await home.wake(robin);
    const made = await home.subscribe(robin, { cursor, maxAgeMs: BigInt(minute) });
    expect(made.truncated).toBe(true);
    await home.quiet();
    expect(home.receiver.eventIds()).toEqual([young]);
  });

  test('leads to every event exactly once, even while subscribing', async () => {
    const robin = home.newAi();
    await home.poll(robin);
    const sent: string[] = [];
    let stops = false;
    const waking = (async () => {
      while (!stops) sent.push(...(await home.wake(robin)));
    })();
    await eventually(() => sent.length > 20);
    const made = await home.subscribe(robin);
    const after = sent.length + 30;
    await eventually(() => sent.length > after);
    stops = true;
    await waking;
    await home.quiet();
    const polled: string[] = [];
    for (let { cursor } = made; ; ) {
      const answer = await home.poll(robin, { cursor });
      polled.push(...idsOf(answer.events));
      cursor = answer.cursor;
      if (!answer.hasMore) break;
    }
    expect(polled.length).toBeGreaterThan(30);
    expect(home.receiver.eventIds().sort()).toEqual(polled.sort());
  });
});

describe('a clock that jumps', () => {
  test('back repeats nothing and skips nothing', async () => {
    const robin = await home.subscriber();
    const first = await home.woken(robin, 3);
    home.clock.advance(-2 * hour);
    const second_ = await home.woken(robin, 3);
    home.clock.advance(2 * hour);
    await home.quiet();
    expect(home.receiver.eventIds().sort()).toEqual([...first, ...second_].sort());
  });

  test('ahead while something is in flight repeats nothing', async () => {
    const robin = await home.subscriber();
    home.receiver.next((response) => setTimeout(() => response.writeHead(204).end(), 1_500));
    await home.wake(robin);
    await eventually(() => home.receiver.messages().length === 1);
    await home.pass(3 * hour);
    expect(home.receiver.messages()).toHaveLength(1);
  });
});

describe('many events at once', () => {
  test('arrive completely, once, and with a cursor that skips nothing', async () => {
    const robin = home.newAi();
    const { cursor } = await home.subscribe(robin);
    const sent = (await Promise.all(Array.from({ length: 20 }, () => home.wake(robin, 10)))).flat();
    await home.quiet();
    expect(home.receiver.eventIds().sort()).toEqual([...sent].sort());
    const order = idsOf((await home.poll(robin, { cursor, limit: 100 })).events);
    expect(order).toHaveLength(100);
    for (const each of home.receiver.messages()) expectSigned(each, [secret], home.federation);
    expect((await home.poll(robin, { cursor: (await home.list(robin))[0]!.cursor })).events).toEqual([]);
    await home.by(callerOf(robin)).unsubscribe({ id: 'me', subscription: (await home.list(robin))[0]!.id });
  });
});
