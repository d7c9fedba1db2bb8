import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { day, hour, minute, second } from '@hearth/clock';
import { sql } from '@hearth/db';
import { DeliveryState } from '@hearth/proto/delivery/v1/app_deliveries';
import { eventually, failure } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { purgeAppEvents } from '../src/app-deliveries/db/app-partitions.ts';
import { home } from './each-apps.ts';
import type { KnownApp } from './stand-ins.ts';
import { newApp, snapshot } from './start-apps.ts';

let seq = 0;
/** Announces an event for the first app. */
const happen = (person = home.ada) => {
  seq += 1;
  return home.happen('memberLeft', {
    ...home.inClub(seq),
    apps: [home.one.id],
    person: snapshot(person),
  });
};
const deleted = (app: KnownApp = home.one) =>
  home.happen('accountDeleted', {
    deleted: [home.bob.id],
    people: [{ id: home.bob.id, minor: false, app: app.id }],
    apps: [app.id],
  });
const get = (id: string, app = home.one) => home.by(home.appCaller(app)).getDelivery({ id });
const disabledSince = async () => (await home.by(home.appCaller()).listDeliveries({})).disabledSince;

/** Waits until an event has this many attempts, and returns it. */
async function attempted(id: string, count: number) {
  await eventually(async () => (await get(id)).attemptCount >= count);
  const delivery = await get(id);
  expect(delivery.attemptCount).toBe(count);
  return delivery;
}

/** Returns the ms until an event's next attempt. */
async function wait(id: string): Promise<number> {
  const { nextAttemptAt } = await get(id);
  return timestampDate(nextAttemptAt!).getTime() - home.clock.now();
}

describe('an event that is not accepted', () => {
  test('is retried ten times on schedule, then given up', async () => {
    home.first.always({ status: 500 });
    const { id } = await happen();
    const waits = [
      5 * second,
      5 * minute,
      30 * minute,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
    ];
    for (const [index, usual] of waits.entries()) {
      const { status } = await attempted(id, index + 1);
      expect(status).toBe(DeliveryState.WAITING);
      const waited = await wait(id);
      expect([waited >= usual * 0.9, waited <= usual * 1.1]).toEqual([true, true]);
      home.clock.advance(waited);
    }
    const { status, attempts, nextAttemptAt } = await attempted(id, 10);
    expect([status, nextAttemptAt]).toEqual([DeliveryState.FAILED, undefined]);
    expect(attempts.map(({ status: answered, error }) => [answered, error])).toEqual(
      Array(10).fill([500, 'http_5xx']),
    );
    expect(new Set(home.first.arrived.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(home.first.arrived.map(({ signature }) => signature)).size).toBe(10);
  });

  test.each([
    [{ status: 302, headers: { location: '/elsewhere' } }, 302, 'http_3xx'],
    [{ status: 404 }, 404, 'http_4xx'],
    ['breaks' as const, undefined, 'connection_refused'],
  ])('is retried after %j', async (manner, status, error) => {
    home.first.next(manner);
    const { id } = await happen();
    expect(await attempted(id, 1)).toMatchObject({
      status: DeliveryState.WAITING,
      attempts: [{ error, ...(status === undefined ? {} : { status }) }],
    });
    home.clock.advance(6 * second);
    const { status: state, attempts } = await attempted(id, 2);
    expect([state, attempts[1]!.status, attempts[1]!.error]).toEqual([
      DeliveryState.DELIVERED,
      200,
      undefined,
    ]);
    expect(home.first.arrived.every(({ body }) => body.id === id)).toBe(true);
  });

  test('times out after ten seconds', async () => {
    home.first.next('hangs');
    const { id } = await happen();
    await eventually(async () => (await get(id)).attemptCount === 1);
    const { attempts } = await get(id);
    expect(attempts[0]).toMatchObject({ error: 'timeout' });
    expect(attempts[0]!.ms).toBeGreaterThanOrEqual(10_000);
  });

  test('is retried as late as Retry-After says', async () => {
    home.first.next({ status: 503, headers: { 'retry-after': '3600' } });
    const { id } = await happen();
    await attempted(id, 1);
    expect(await wait(id)).toBe(hour);
  });

  test('does not hold up later events, and 204 is as good as 200', async () => {
    home.first.next({ status: 500 }, { status: 204 });
    const first = await happen();
    await attempted(first.id, 1);
    const second = await happen();
    expect((await attempted(second.id, 1)).status).toBe(DeliveryState.DELIVERED);
    expect((await get(first.id)).status).toBe(DeliveryState.WAITING);
  });
});

describe('the signature', () => {
  const verified = ({ signature, raw }: { signature: string; raw: string }, secret: string) => {
    const [moment, ...given] = signature.split(',');
    const mac = createHmac('sha256', secret)
      .update(`${moment!.slice(2)}.${raw}`)
      .digest('hex');
    return given.indexOf(`v1=${mac}`);
  };

  test('uses both secrets during a rotation, and the new one afterwards', async () => {
    const old = home.one.secrets[0]!;
    const fresh = newApp('').secrets[0]!;
    await attempted((await happen()).id, 1);
    await home.changeApp(home.one, { secrets: [fresh, old] }, ['signing_secret']);
    await attempted((await happen()).id, 1);
    await home.changeApp(home.one, { secrets: [fresh] }, ['signing_secret']);
    await attempted((await happen()).id, 1);
    expect(home.first.arrived.map((each) => [verified(each, fresh), verified(each, old)])).toEqual([
      [-1, 0],
      [0, 1],
      [0, -1],
    ]);
  });

  test('has the time of each attempt', async () => {
    home.first.next({ status: 500 });
    const { id } = await happen();
    await attempted(id, 1);
    home.clock.advance(6 * second);
    await attempted(id, 2);
    const [before, after] = home.first.arrived.map(({ signature }) => Number(/^t=(\d+)/.exec(signature)![1]));
    expect(after! - before!).toBe(6);
  });
});

describe('a webhook address', () => {
  const mails = () => {
    const folder = join(home.dataFolder, 'mail');
    return (existsSync(folder) ? readdirSync(folder) : []).map((file) =>
      readFileSync(join(folder, file), 'utf8'),
    );
  };

  /** Fails every delivery for this many days; each event is tried once. */
  async function failFor(days: number): Promise<string[]> {
    home.first.always({ status: 500 });
    const ids: string[] = [];
    for (let passed = 0; passed <= days; passed += 1) {
      if (passed > 0) home.clock.advance(day);
      const { id } = await happen();
      ids.push(id);
      await eventually(async () => (await get(id)).attemptCount > 0 || (await disabledSince()) !== undefined);
    }
    return ids;
  }

  test('is disabled after five days of failures, which notifies its contact, and restored by a test', async () => {
    const ids = await failFor(5);
    await eventually(async () => (await disabledSince()) !== undefined);
    await eventually(async () => (await get(ids[0]!)).status === DeliveryState.FAILED);
    for (const id of ids) expect((await get(id)).status).toBe(DeliveryState.FAILED);

    const missed = await happen();
    expect((await get(missed.id)).status).toBe(DeliveryState.FAILED);
    const before = home.first.arrived.length;
    home.clock.advance(day);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(home.first.arrived.length).toBe(before);
    await eventually(() => mails().length === 1);
    expect(mails()[0]).toMatch(
      /To: ops@planner\.example[\s\S]*was disabled[\s\S]*five days[\s\S]*\/v0\/app\/webhook\/test/,
    );

    const caller = home.appCaller();
    expect(await failure(home.by(caller).replayDelivery({ id: missed.id }))).toBe(
      'bad_request callback_challenge_failed webhook_url',
    );
    await expect(home.by(caller).testWebhook({})).rejects.toThrow(/status 500/);
    expect(await disabledSince()).toBeDefined();
    home.first.always({ status: 200 });
    expect(await home.by(caller).testWebhook({})).toMatchObject({ delivered: true });
    expect(home.first.arrived.at(-1)!.body).toMatchObject({ type: 'test', data: {} });
    expect(await disabledSince()).toBeUndefined();
    const since = { seconds: BigInt(home.clock.now() / 1_000 - 7 * 86_400), nanos: 0 };
    const status = DeliveryState.FAILED;
    const { replayed } = await home.by(caller).replayDeliveries({ since, status });
    expect(replayed).toBe(ids.length + 1);
    for (const id of [...ids, missed.id])
      await eventually(async () => (await get(id)).status === DeliveryState.DELIVERED);
  });

  test('is not disabled while something is accepted in between', async () => {
    await failFor(3);
    home.first.next({ status: 200 });
    const { id } = await happen();
    await attempted(id, 1);
    await failFor(4);
    expect(await disabledSince()).toBeUndefined();
  });

  test('is disabled by a 410, and used again when the app sets another', async () => {
    home.first.next({ status: 410 });
    const { id } = await happen();
    expect((await attempted(id, 1)).status).toBe(DeliveryState.FAILED);
    expect(await disabledSince()).toBeDefined();
    await happen();
    await home.changeApp(home.one, { webhookUrl: home.second.url }, ['webhook_url']);
    expect(await disabledSince()).toBeUndefined();
    const { id: later } = await happen();
    expect((await attempted(later, 1)).status).toBe(DeliveryState.DELIVERED);
    expect(home.second.arrived.map(({ body }) => body.id)).toEqual([later]);
  });

  test('stays disabled when the event of an earlier change is repeated', async () => {
    const changed = await home.changeApp(home.one, { webhookUrl: home.first.url }, ['webhook_url']);
    home.first.next({ status: 410 });
    const { id } = await happen();
    await attempted(id, 1);
    await home.publishAll([changed]);
    expect(await disabledSince()).toBeDefined();
    await home.changeApp(home.one, { webhookUrl: home.second.url }, ['webhook_url']);
    expect(await disabledSince()).toBeUndefined();
  });

  test('is neither disabled nor restored by a replay', async () => {
    const { id } = await happen();
    await attempted(id, 1);
    const caller = home.appCaller();
    home.first.always({ status: 410 });
    await home.by(caller).replayDelivery({ id });
    await attempted(id, 2);
    expect(await disabledSince()).toBeUndefined();
    const health = () =>
      home.database.db.one<{ failing_since: Date | null }>(
        sql`select failing_since from delivery.app_streams`,
      );
    expect((await health()).failing_since).toBeNull();
    home.first.always({ status: 500 });
    const { id: failing } = await happen();
    await attempted(failing, 1);
    const since = (await health()).failing_since;
    expect(since).toEqual(new Date(home.clock.now()));
    home.first.always({ status: 200 });
    const taken = await home.by(caller).replayDelivery({ id });
    expect(taken.replayed).toBe(1);
    await eventually(async () => (await get(id)).status === DeliveryState.DELIVERED);
    expect((await health()).failing_since).toEqual(since);
  });

  test('that the app removed gets nothing more', async () => {
    home.first.next({ status: 500 });
    const { id } = await happen();
    await attempted(id, 1);
    await home.changeApp(home.one, { webhookUrl: '' }, ['webhook_url']);
    expect((await get(id)).status).toBe(DeliveryState.NOT_SENT);
    home.clock.advance(minute);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(home.first.arrived).toHaveLength(1);
  });
});

describe('account.deleted', () => {
  test('is sent each day until the app confirms it, even when it is accepted', async () => {
    const { id } = await deleted();
    for (let times = 1; times <= 4; times += 1) {
      expect((await attempted(id, times)).status).toBe(DeliveryState.WAITING);
      const waited = await wait(id);
      expect([waited >= 0.9 * day, waited <= 1.1 * day]).toEqual([true, true]);
      if (times < 4) home.clock.advance(waited);
    }
    expect(new Set(home.first.arrived.map(({ raw }) => raw)).size).toBe(1);
    await home.happen('deletionConfirmed', { event: id, app: home.other.id });
    expect((await get(id)).status).toBe(DeliveryState.WAITING);
    await home.happen('deletionConfirmed', { event: id, app: home.one.id });
    const { status, nextAttemptAt } = await get(id);
    expect([status, nextAttemptAt]).toEqual([DeliveryState.DELIVERED, undefined]);
    home.clock.advance(2 * day);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(home.first.arrived).toHaveLength(4);
  });

  test('confirmed before it was accepted clears the failure of the address', async () => {
    const failing = async () =>
      (
        await home.database.db.one<{ failing: boolean }>(
          sql`select failing_since is not null as failing from delivery.app_streams where app = ${home.one.id}`,
        )
      ).failing;
    home.first.always({ status: 500 });
    const { id } = await deleted();
    await attempted(id, 1);
    expect(await failing()).toBe(true);
    await home.happen('deletionConfirmed', { event: id, app: home.one.id });
    expect([(await get(id)).status, await failing()]).toEqual([DeliveryState.DELIVERED, false]);
  });

  test('continues beyond the schedule and the retention, through days with a disabled address', async () => {
    home.first.always({ status: 410 });
    const { id } = await deleted();
    expect((await attempted(id, 1)).status).toBe(DeliveryState.WAITING);
    const left = await happen();
    home.clock.advance(45 * day);
    await purgeAppEvents(home.database, home.clock, 30 * day);
    expect(await failure(get(left.id))).toBe('not_found not_found');
    expect((await get(id)).status).toBe(DeliveryState.WAITING);
    expect(home.first.arrived).toHaveLength(1);
    home.first.always({ status: 200 });
    await home.by(home.appCaller()).testWebhook({});
    await attempted(id, 2);
    await home.happen('deletionConfirmed', { event: id, app: home.one.id });
    await purgeAppEvents(home.database, home.clock, 30 * day);
    expect(await failure(get(id))).toBe('not_found not_found');
  });

  test('waits for an address when there is none', async () => {
    await home.changeApp(home.one, { webhookUrl: '' }, ['webhook_url']);
    const { id } = await deleted();
    expect((await get(id)).status).toBe(DeliveryState.NOT_SENT);
    await home.changeApp(home.one, { webhookUrl: home.first.url }, ['webhook_url']);
    await attempted(id, 1);
    expect(home.first.types()).toEqual(['account.deleted']);
  });
});

test('old events are dropped by the week, and none too early', async () => {
  const partitions = async () =>
    (
      await home.database.db.query<{
        name: string;
      }>(sql`select relname as name from pg_class join pg_inherits on inhrelid = pg_class.oid
          where inhparent = 'delivery.app_events'::regclass order by relname`)
    ).map(({ name }) => name);
  // 2026-03-01 is a Sunday.
  expect(await partitions()).toEqual(['app_events_20260223', 'app_events_20260302', 'app_events_other']);
  const { id } = await happen();
  home.clock.advance(29 * day);
  await Promise.all([1, 2].map(() => purgeAppEvents(home.database, home.clock, 30 * day)));
  expect((await get(id)).id).toBe(id);
  home.clock.advance(2 * day);
  await purgeAppEvents(home.database, home.clock, 30 * day);
  expect(await failure(get(id))).toBe('not_found not_found');
  expect(await partitions()).toEqual([
    'app_events_20260302',
    'app_events_20260330',
    'app_events_20260406',
    'app_events_other',
  ]);
});
