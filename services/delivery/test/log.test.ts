import { day } from '@hearth/clock';
import { sql } from '@hearth/db';
import { decodeWake, encodeWake, wakeSubject } from '@hearth/outbox';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { purgeEvents } from '../src/hold/db/events.ts';
import { messageSent, startDelivery, type TestDelivery } from './start-delivery.ts';

let home: TestDelivery;

beforeEach(async () => {
  home = await startDelivery();
});
afterEach(() => home.stop());

const logged = () =>
  home.database.db.query<{ table: string; at: Date }>(
    sql`select tableoid::regclass::text as table, at from delivery.events order by at`,
  );
const partitions = async () =>
  (
    await home.database.db.query<{
      name: string;
    }>(sql`select relname as name from pg_class join pg_inherits on inhrelid = pg_class.oid
        where inhparent = 'delivery.events'::regclass order by relname`)
  ).map(({ name }) => name);

describe('the log', () => {
  test('stores an event once, however often it arrives', async () => {
    const event = messageSent(home.clock.now());
    await home.publishAll([event, event]);
    await home.publishAll([event]);
    expect(await logged()).toEqual([{ table: 'delivery.events_20260301', at: new Date(home.clock.now()) }]);
  });

  test('puts events outside its daily partitions into the default partition', async () => {
    const now = home.clock.now();
    await home.publishAll([messageSent(now - 30 * day), messageSent(now + 30 * day)]);
    expect((await logged()).map(({ table }) => table)).toEqual([
      'delivery.events_other',
      'delivery.events_other',
    ]);
  });

  test('creates partitions ahead, also for days with earlier events, and drops expired ones', async () => {
    await home.publishAll([messageSent(home.clock.now()), messageSent(home.clock.now() + 6 * day)]);
    expect(await partitions()).toEqual([
      'events_20260301',
      'events_20260302',
      'events_20260303',
      'events_20260304',
      'events_other',
    ]);
    home.clock.advance(5 * day);
    await purgeEvents(home.database, home.clock);
    expect((await logged()).map(({ table }) => table)).toEqual([
      'delivery.events_20260301',
      'delivery.events_20260307',
    ]);
    home.clock.advance(5 * day);
    await Promise.all([purgeEvents(home.database, home.clock), purgeEvents(home.database, home.clock)]);
    expect(await partitions()).not.toContain('events_20260301');
    expect((await logged()).map(({ table }) => table)).toEqual(['delivery.events_20260307']);
  });
});

describe('wake-ups of watchers', () => {
  async function watch(topics: string[]) {
    const stream = home.client.hold();
    const woken: string[][] = [];
    const acknowledged = Promise.withResolvers<void>();
    const read = (async () => {
      for await (const answer of stream.answers) {
        if (answer.acknowledged === 1n) acknowledged.resolve();
        if (answer.woken.length > 0) woken.push(answer.woken);
      }
    })();
    stream.write({ sequence: 1n, watch: topics });
    await acknowledged.promise;
    return { woken, stream, read };
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

  test('arrive by signal for watched topics only', async () => {
    const [one, two] = [await watch(['a', 'b']), await watch(['b', 'c'])];
    home.bus.signal(wakeSubject, encodeWake({ topics: ['a', 'b', 'x'], events: [] }));
    await settle();
    expect([one.woken, two.woken]).toEqual([[['a', 'b']], [['b']]]);
    one.stream.write({ sequence: 2n, unwatch: ['b'] });
    await settle();
    home.bus.signal(wakeSubject, encodeWake({ topics: ['b'], events: [] }));
    await settle();
    expect([one.woken.length, two.woken.length]).toEqual([1, 2]);
  });

  test('arrive with the event when the signal was missed, also at other replicas', async () => {
    const signals: string[] = [];
    home.bus.onSignal(wakeSubject, (payload) => signals.push(...decodeWake(payload).topics));
    const { woken } = await watch(['a']);
    await home.publishAll([messageSent(home.clock.now(), ['a'])]);
    await settle();
    expect(woken.flat()).toContain('a');
    expect(signals).toEqual(['a']);
  });

  test('arrive once when both the signal and the event arrive', async () => {
    const { woken } = await watch(['a']);
    const event = messageSent(home.clock.now(), ['a']);
    const uuid = event.id.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    home.bus.signal(wakeSubject, encodeWake({ topics: ['a'], events: [uuid] }));
    await settle();
    await home.publishAll([event]);
    await settle();
    expect(woken).toEqual([['a']]);
  });
});
