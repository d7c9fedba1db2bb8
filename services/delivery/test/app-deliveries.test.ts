import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { day, hour } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { DeliveryState } from '@hearth/proto/delivery/v1/app_deliveries';
import { eventually, everyPage, failure, textOf } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { home } from './each-apps.ts';
import { ids, type KnownApp } from './stand-ins.ts';
import { snapshot, type TestApps } from './start-apps.ts';

let seq = 0;
async function happen(app: KnownApp = home.one, name: 'memberLeft' | 'memberJoined' = 'memberLeft') {
  seq += 1;
  const group = { ...home.club, app: app.id };
  const value = { ...home.inClub(seq), group, apps: [app.id], person: snapshot(home.ada), role: 'member' };
  return await home.happen(name, value);
}

async function happenMany(count: number): Promise<string[]> {
  const made: string[] = [];
  for (let index = 0; index < count; index += 1) made.push((await happen()).id);
  return made;
}

type Calls = ReturnType<TestApps['by']>;
type Asked = Parameters<Calls['listDeliveries']>[0];
const list = (request: Asked = {}, app = home.one) => home.by(home.appCaller(app)).listDeliveries(request);
const get = (id: string, app = home.one) => home.by(home.appCaller(app)).getDelivery({ id });
const since = (ms: number) => timestampFromMs(home.clock.now() - ms);
const settled = async () =>
  await eventually(async () => (await list({ status: DeliveryState.WAITING })).deliveries.length === 0);

describe('the log', () => {
  test('lists sent events, newest first, with attempts and body', async () => {
    home.first.next({ status: 500, body: 'a secret of theirs' });
    const event = await happen();
    await eventually(async () => (await get(event.id)).attemptCount === 1);
    const two = await happen();
    await eventually(async () => (await get(two.id)).attemptCount === 1);
    const { deliveries, nextCursor, disabledSince } = await list();
    expect([nextCursor, disabledSince]).toEqual([undefined, undefined]);
    expect(deliveries).toMatchObject([
      { id: two.id, type: 'member.left', status: DeliveryState.DELIVERED, attemptCount: 1, attempts: [] },
      { id: event.id, status: DeliveryState.WAITING, attemptCount: 1 },
    ]);
    expect(deliveries.map(({ body }) => body)).toEqual([undefined, undefined]);
    const whole = await get(event.id);
    expect(whole.attempts).toMatchObject([{ status: 500, error: 'http_5xx' }]);
    expect(whole.body).toEqual(JSON.parse(home.first.arrived[0]!.raw));
    expect(textOf(whole)).not.toContain('a secret of theirs');
  });

  test('is filtered by status, type and time, and continues page by page while events arrive', async () => {
    const first = await happenMany(3);
    await happen(home.one, 'memberJoined');
    await settled();
    home.clock.advance(hour);
    home.first.always({ status: 500 });
    const failing = await happen();
    await eventually(async () => (await get(failing.id)).attemptCount === 1);
    const idsOf = async (request: Asked) => (await list(request)).deliveries.map(({ id }) => id);
    expect(await idsOf({ status: DeliveryState.WAITING })).toEqual([failing.id]);
    expect(await idsOf({ type: 'member.left' })).toEqual([failing.id, ...[...first].reverse()]);
    expect(await idsOf({ type: 'guess' })).toEqual([]);
    expect(await idsOf({ since: since(hour / 2) })).toEqual([failing.id]);
    const pages = await everyPage(async (at) => {
      const page = await list({ limit: 2, ...at });
      await happen();
      return page;
    });
    const seen = pages.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
  });

  test('pages continue past entries that do not match', async () => {
    await happen(home.one, 'memberJoined');
    await happen();
    await settled();
    await home.run(sql`
          insert into delivery.app_events (app, number, id, at, type, order_key, body, status, unconfirmed)
          select app, number + n, gen_random_uuid(), at, type, order_key, body, 4, false
          from delivery.app_events, generate_series(1, 12000) n where type = 'member.left'`);
    const pages = await everyPage((at) => list({ type: 'member.joined', ...at }));
    const found = pages.flatMap(({ deliveries }) => deliveries.map(({ type }) => type));
    expect([found, pages.length]).toEqual([['member.joined'], 3]);
  });

  test.each([
    [{ type: 'nothing' }, 'type'],
    [{ cursor: 'x' }, 'cursor'],
    [{ cursor: '-1' }, 'cursor'],
    [{ cursor: '9'.repeat(30) }, 'cursor'],
  ])('%j is refused', async (request, field) => {
    expect(await failure(list(request))).toBe(`bad_request bad_field ${field}`);
  });
});

describe("another app's events", () => {
  test('are not found, like unknown ones', async () => {
    const { id } = await happen(home.other);
    await eventually(async () => (await get(id, home.other)).attemptCount === 1);
    const caller = home.appCaller();
    const never = printId('evt', ids.uuid());
    expect((await list()).deliveries).toEqual([]);
    expect((await home.by(caller).listAppEvents({})).events).toEqual([]);
    for (const asked of [id, never]) {
      expect(await failure(get(asked))).toBe('not_found not_found');
      expect(await failure(home.by(caller).replayDelivery({ id: asked }))).toBe('not_found not_found');
      await expect(home.by(caller).listAppEvents({ after: asked })).rejects.toMatchObject({
        kind: 'bad_request',
        message: expect.stringContaining('is no event that is kept for you'),
      });
    }
    expect(await home.by(caller).replayDeliveries({ since: since(day) })).toMatchObject({ replayed: 0 });
    expect(home.second.arrived).toHaveLength(1);
  });

  test('cannot be read by an app that acts for a person', async () => {
    const caller = home.personCaller(home.ada);
    expect(await failure(home.by(caller).listDeliveries({}))).toBe('bad_request bad_field Svc-Acting-For');
  });
});

describe('a replay', () => {
  test('sends the same event under the same id, with a new signature', async () => {
    const { id } = await happen();
    await settled();
    home.clock.advance(hour);
    const caller = home.appCaller();
    expect(await home.by(caller).replayDelivery({ id })).toMatchObject({ replayed: 1 });
    await eventually(() => home.first.arrived.length === 2);
    const [before, after] = home.first.arrived;
    expect(after!.raw).toBe(before!.raw);
    expect(after!.signature).not.toBe(before!.signature);
    await eventually(async () => (await get(id)).attemptCount === 2);
    expect((await get(id)).status).toBe(DeliveryState.DELIVERED);
  });

  test('of a time span sends matching events, after new ones', async () => {
    const old = await happenMany(2);
    await happen(home.one, 'memberJoined');
    await settled();
    home.clock.advance(2 * hour);
    const late = await happenMany(1);
    await settled();
    const caller = home.appCaller();
    const replay = (request: Parameters<Calls['replayDeliveries']>[0]) =>
      home.by(caller).replayDeliveries(request);
    home.first.arrived.length = 0;
    expect(
      await replay({ since: since(3 * hour), until: since(hour), types: ['member.left'] }),
    ).toMatchObject({ replayed: 2 });
    await settled();
    expect(home.first.arrived.map(({ body }) => body.id)).toEqual(old);
    expect(await replay({ since: since(3 * hour), status: DeliveryState.FAILED })).toMatchObject({
      replayed: 0,
    });
    expect(await replay({ since: since(hour) })).toMatchObject({ replayed: late.length });
    expect(await replay({ since: since(100 * day) })).toMatchObject({ replayed: 4 });
    expect(await failure(replay({ since: since(hour), types: ['nothing'] }))).toBe(
      'bad_request bad_field types',
    );
  });

  test('of more than 10,000 events is refused', async () => {
    await happen();
    await settled();
    const add = (count: number) =>
      home.run(sql`
            insert into delivery.app_events (app, number, id, at, type, order_key, body, status, unconfirmed)
            select app, number + 100000 + n, gen_random_uuid(), at, type, order_key, body, 2, false
            from (select * from delivery.app_events order by number limit 1) e, generate_series(1, ${count}::int) n`);
    await add(10_000);
    const caller = home.appCaller();
    await expect(home.by(caller).replayDeliveries({ since: since(hour) })).rejects.toMatchObject({
      message: expect.stringContaining('more than 10000 events'),
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(home.first.arrived).toHaveLength(1);
  });

  test('needs an address, and sends events that had none before', async () => {
    const caller = home.appCaller();
    await home.changeApp(home.one, { webhookUrl: '' }, ['webhook_url']);
    const { id } = await happen();
    expect(await failure(home.by(caller).replayDelivery({ id }))).toBe('bad_request bad_field webhook_url');
    expect(await failure(home.by(caller).testWebhook({}))).toBe('bad_request bad_field webhook_url');
    await home.changeApp(home.one, { webhookUrl: home.first.url }, ['webhook_url']);
    expect((await get(id)).status).toBe(DeliveryState.NOT_SENT);
    const status = DeliveryState.NOT_SENT;
    expect(await home.by(caller).replayDeliveries({ since: since(day), status })).toMatchObject({
      replayed: 1,
    });
    await eventually(() => home.first.arrived.length === 1);
  });

  test('returns to waiting after a failure, and to failed when it is given up', async () => {
    const { id } = await happen();
    await settled();
    home.first.always({ status: 500 });
    await home.by(home.appCaller()).replayDelivery({ id });
    await eventually(async () => (await get(id)).attemptCount === 2);
    expect((await get(id)).status).toBe(DeliveryState.WAITING);
  });
});

describe('catching up', () => {
  test('returns the events that were sent, in order, from any event on', async () => {
    const made = await happenMany(7);
    await settled();
    const caller = home.appCaller();
    const entries: unknown[] = [];
    let after: string | undefined;
    for (;;) {
      const request = { limit: 3, ...(after === undefined ? {} : { after }) };
      const { events, hasMore } = await home.by(caller).listAppEvents(request);
      entries.push(
        ...events.map(({ id, type, at, data }) => ({
          id,
          type,
          at: new Date(Number(at!.seconds) * 1_000 + at!.nanos / 1e6).toISOString(),
          data,
        })),
      );
      if (!hasMore) break;
      after = events.at(-1)!.id;
    }
    expect(entries).toEqual(home.first.arrived.map(({ raw }) => JSON.parse(raw)));
    expect(made).toHaveLength(7);
    const last = await home.by(caller).listAppEvents({ after: made[6]! });
    expect([last.events, last.hasMore]).toEqual([[], false]);
  });

  test('returns at most about 1 MiB at once', async () => {
    const made = await happenMany(3);
    await settled();
    await home.database.transaction((tx) =>
      tx.execute(sql`update delivery.app_events set body = body || repeat(' ', 600000)
        where body like ${`%${made[0]}%`} or body like ${`%${made[1]}%`}`),
    );
    const list = (after?: string) => home.by(home.appCaller()).listAppEvents(after ? { after } : {});
    const first = await list();
    expect([first.events.at(-1)?.id, first.hasMore]).toEqual([made[0], true]);
    const rest = await list(made[0]);
    expect([rest.events.map(({ id }) => id), rest.hasMore]).toEqual([made.slice(1), false]);
  });

  test('refuses an invalid id', async () => {
    expect(await failure(home.by(home.appCaller()).listAppEvents({ after: 'evt_1' }))).toBe(
      'bad_request bad_field after',
    );
  });
});

test('a test event confirms the address, and is signed and counted', async () => {
  const caller = home.appCaller();
  for (let times = 0; times < 60; times += 1)
    expect(await home.by(caller).testWebhook({})).toMatchObject({ delivered: true });
  expect(await failure(home.by(caller).testWebhook({}))).toBe('rate_limited rate_limited');
  expect(home.first.arrived).toHaveLength(60);
  expect((await list()).deliveries).toEqual([]);
  home.second.next({ status: 204 });
  await expect(home.by(home.appCaller(home.other)).testWebhook({})).rejects.toThrow(
    /status 204 instead of 200/,
  );
});
