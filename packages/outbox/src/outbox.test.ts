import { fileURLToPath } from 'node:url';
import { fromBinary } from '@bufbuild/protobuf';
import { type Bus, createLocalBus, type Reconnection } from '@hearth/bus';
import { minute, systemClock } from '@hearth/clock';
import { type Database, migrate, openDatabase, silentLog } from '@hearth/db';
import { HearthError, unavailable } from '@hearth/errors';
import { createIds, systemRandom } from '@hearth/ids';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { eventually } from '@hearth/testkit';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createOutbox,
  decodeWake,
  type OutboxRow,
  outboxMigrations,
  type RunningOutbox,
  wakeSubject,
} from './index.ts';

let errors: object[];
let warnings: string[];
const log = {
  debug: () => {},
  info: () => {},
  warn: (_said: object, message: string) => void warnings.push(message),
  error: (said: object) => void errors.push(said),
};
let now: number;
const clock = { now: () => now };
const ids = createIds(systemClock, systemRandom);
/** Simulates a server that came back without its log. */
let loseLog: (epoch: string) => void;
let testDatabase: TestDatabase;
let database: Database;
let bus: Bus;
let outbox: RunningOutbox;
let received: string[];
let wakes: ReturnType<typeof decodeWake>[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await migrate({
    url: testDatabase.url,
    schema: 'things',
    folder: fileURLToPath(outboxMigrations),
    clock: systemClock,
    log: silentLog,
  });
  database = openDatabase({ url: testDatabase.url, clock: systemClock, instance: 'one' });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  await database.transaction((tx) => tx.execute({ text: 'delete from things.outbox' }));
  received = [];
  wakes = [];
  bus = createLocalBus({ log });
  await bus.consume({
    durable: 'listener',
    subjects: ['event.>'],
    handle: async (events) => {
      received.push(...events.map((event) => fromBinary(EventSchema, event).id));
    },
  });
  bus.onSignal(wakeSubject, (payload) => wakes.push(decodeWake(payload)));
  const listeners: ((reconnection: Reconnection) => void)[] = [];
  bus.onReconnect = (listener) => void listeners.push(listener);
  loseLog = (epoch) => {
    bus.epoch = () => epoch;
    for (const listener of listeners) listener({ logLost: true });
  };
  now = systemClock.now();
  errors = [];
  warnings = [];
  outbox = createOutbox({ database, schema: 'things', bus, clock, ids, log });
});

const otherRow = () => outbox.row({ data: { case: 'accountDeleted', value: { deleted: ['someone'] } } });
const someRow = (topics: string[] = []) =>
  outbox.row({ data: { case: 'messageSent', value: { messageId: 'msg_1', to: 'someone' } }, topics });
const eventId = (row: OutboxRow) => `evt_${row.id.replaceAll('-', '')}`;
const announce = (rows: OutboxRow[]) => database.transaction((tx) => outbox.insert(tx, rows));
const rows = () =>
  database.db.query<{ published_in: string | null }>({
    text: 'select published_in from things.outbox order by published_in nulls first',
  });
/** Simulates rows whose process died a while ago. */
const age = () =>
  database.transaction((tx) =>
    tx.execute({
      text: `update things.outbox set claimed_until = now() - interval '1 second', created_at = created_at - interval '20 minutes'`,
    }),
  );

describe('an outbox', () => {
  test('publishes right after the commit, and marks published rows', async () => {
    const row = someRow();
    await announce([row]);
    outbox.committed([row]);
    await outbox.drain();
    expect(received).toEqual([eventId(row)]);
    expect(await rows()).toEqual([{ published_in: bus.epoch() }]);
  });

  test('wakes waiting requests at once, with one signal per tick and its events', async () => {
    const [one, two] = [someRow(['a', 'b']), someRow(['b', 'c'])];
    outbox.committed([one]);
    outbox.committed([two]);
    outbox.wake(['d']);
    await eventually(() => wakes.length > 0);
    expect(wakes).toEqual([{ topics: ['a', 'b', 'c', 'd'], events: [one.id, two.id], carried: new Map() }]);
  });

  test('a wake carries data of a single cause, within a bound, and none for several causes', async () => {
    const row = (topic: string, bytes: number) => ({
      ...someRow([topic]),
      carried: Buffer.alloc(bytes, topic),
    });
    outbox.committed([row('a', 10), row('b', 10), row('c', 10), row('d', 300_000)]);
    outbox.wake(['b']);
    outbox.committed([row('c', 10)]);
    await eventually(() => wakes.length > 0);
    expect(wakes).toMatchObject([{ topics: ['a', 'b', 'c', 'd'] }]);
    expect(wakes[0]!.carried).toEqual(new Map([['a', Buffer.alloc(10, 'a')]]));
  });

  test('a rolled back transaction announces nothing', async () => {
    const failing = database.transaction(async (tx) => {
      await outbox.insert(tx, [someRow()]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await age();
    await outbox.sweep();
    expect(received).toEqual([]);
  });

  test('the sweep publishes rows left by a crash, but not rows that another process has just written', async () => {
    const row = someRow();
    await announce([row]);
    await outbox.sweep();
    expect(received).toEqual([]);
    await age();
    await outbox.sweep();
    expect(received).toEqual([eventId(row)]);
    await outbox.sweep();
    expect(received).toHaveLength(1);
  });

  test('the sweep publishes rows claimed before the clock of Postgres was set back', async () => {
    const row = someRow();
    await announce([row]);
    const text = `update things.outbox set claimed_until = claimed_until + interval '2 hours'`;
    await database.transaction((tx) => tx.execute({ text }));
    await outbox.sweep();
    expect(received).toEqual([eventId(row)]);
  });

  test('two concurrent sweeps never take the same row, however many rows there are', async () => {
    const many = Array.from({ length: 1_200 }, () => someRow());
    await announce(many);
    await age();
    const other = createOutbox({ database, schema: 'things', bus, clock, ids, log });
    await Promise.all([outbox.sweep(), other.sweep()]);
    expect(received).toHaveLength(1_200);
    expect(new Set(received).size).toBe(1_200);
  });

  test('an outage of the bus loses nothing', async () => {
    const row = someRow();
    await announce([row]);
    const publish = bus.publish;
    bus.publish = () => Promise.reject(unavailable('the bus is away'));
    outbox.committed([row]);
    await outbox.drain();
    expect(await rows()).toEqual([{ published_in: null }]);
    bus.publish = publish;
    await age();
    await outbox.sweep();
    expect(received).toEqual([eventId(row)]);
  });

  test('two batches that begin with the same row have different ids', async () => {
    const published: string[] = [];
    const publish = bus.publish;
    bus.publish = (batch) => {
      published.push(batch.id);
      return publish(batch);
    };
    const [one, two, three] = [someRow(), someRow(), someRow()];
    for (const rows of [
      [one, two],
      [one, three],
      [one, two],
    ]) {
      outbox.committed(rows);
      await outbox.drain();
    }
    expect(new Set(published).size).toBe(2);
    expect(published[2]).toBe(published[0]);
  });

  test('rows published to a lost log are published again, at once and after a restart', async () => {
    const row = someRow();
    await announce([row]);
    outbox.committed([row]);
    await outbox.drain();
    await outbox.sweep();
    expect(received).toHaveLength(1);
    loseLog('a new log');
    await eventually(() => received.length === 2);
    await eventually(async () => (await rows())[0]?.published_in === 'a new log');
    bus.epoch = () => 'a third one, made while no process ran';
    await createOutbox({ database, schema: 'things', bus, clock, ids, log }).sweep();
    expect(received).toEqual([eventId(row), eventId(row), eventId(row)]);
  });

  test('after a failed republication the sweep retries, and once more for rows marked late', async () => {
    const [early, late] = [someRow(), someRow()];
    await announce([early]);
    outbox.committed([early]);
    await outbox.drain();
    const { publish } = bus;
    bus.publish = () => Promise.reject(unavailable('the bus is away'));
    loseLog('a new log');
    await eventually(() => warnings.some((message) => message.includes('wait for the next sweep')));
    bus.publish = publish;
    await age();
    await outbox.sweep();
    expect(received).toEqual([eventId(early), eventId(early)]);

    bus.epoch = () => 'in-process';
    await announce([late]);
    outbox.committed([late]);
    await outbox.drain();
    bus.epoch = () => 'a new log';
    await outbox.sweep();
    expect(received).toHaveLength(3);
    now += 15_000;
    await outbox.sweep();
    expect(received.slice(3)).toEqual([eventId(late)]);
    now += 15_000;
    bus.epoch = () => 'yet another log, of which nobody has told';
    await outbox.sweep();
    expect(received).toHaveLength(4);
  });

  test('a log lost during a publish is not taken for the new one', async () => {
    const row = someRow();
    await announce([row]);
    const { publish } = bus;
    bus.publish = async (batch) => {
      const published = await publish(batch);
      bus.epoch = () => 'a new log';
      return published;
    };
    outbox.committed([row]);
    await outbox.drain();
    expect(await rows()).toEqual([{ published_in: 'in-process' }]);
  });

  test('purges rows published a while ago, and no others', async () => {
    const [old, waiting, young] = [someRow(), someRow(), someRow()];
    await announce([old, waiting]);
    outbox.committed([old]);
    await outbox.drain();
    now += 16 * minute;
    await announce([young]);
    outbox.committed([young]);
    await outbox.drain();
    const { epoch, health } = bus;
    bus.health = () => ({ ok: false });
    await outbox.purge();
    bus.health = health;
    bus.epoch = () => 'a new log';
    await outbox.purge();
    bus.epoch = epoch;
    expect(await rows()).toHaveLength(3);
    await outbox.purge();
    expect(await rows()).toEqual([{ published_in: null }, { published_in: bus.epoch() }]);
  });

  test('keeps rows delayed by an outage of half an hour through a second outage', async () => {
    const many = Array.from({ length: 300 }, () => someRow());
    await announce(many);
    await age();
    now += 30 * minute;
    await outbox.sweep();
    expect(received).toHaveLength(300);
    now += 14 * minute;
    await outbox.purge();
    loseLog('a new log');
    // Marked, not just received: the purge goes by the time of the mark.
    await eventually(async () => (await rows()).every((row) => row.published_in === 'a new log'));
    expect(received).toHaveLength(600);
    now += 16 * minute;
    await outbox.purge();
    expect(await rows()).toEqual([]);
  });

  test('purges as fast as rows arrive, including rows of an older version', async () => {
    const fill = (publishedAt: string) =>
      database.transaction((tx) =>
        tx.execute({
          text: `insert into things.outbox (id, type, event, created_at, published_in, published_at)
            select gen_random_uuid(), 'message_sent', '', now() - interval '20 minutes', 'in-process', ${publishedAt}
            from generate_series(1, 25000)`,
        }),
      );
    await fill(`now() - interval '16 minutes'`);
    await fill('null');
    await outbox.purge();
    expect(await rows()).toEqual([]);
  });

  test('takes rows of a dead process at once, and none of a live one', async () => {
    const other = openDatabase({ url: testDatabase.url, clock: systemClock, instance: 'other' });
    const row = someRow();
    await other.transaction((tx) => outbox.insert(tx, [row]));
    await outbox.sweep();
    expect(received).toEqual([]);
    await other.close();
    await eventually(async () => {
      await outbox.sweep();
      return received.length > 0;
    });
    expect(received).toEqual([eventId(row)]);
  });

  test('publishes concurrent rows in one statement, however many they are', async () => {
    const named: string[] = [];
    const counting: Database = {
      ...database,
      statement: (work) =>
        database.statement((tx) =>
          work({
            ...tx,
            execute(statement) {
              named.push(statement.name ?? 'unnamed');
              return tx.execute(statement);
            },
          }),
        ),
    };
    const counted = createOutbox({ database: counting, schema: 'things', bus, clock, ids, log });
    for (const count of [1, 50]) {
      const many = Array.from({ length: count }, (_, n) => (n % 2 === 0 ? someRow() : otherRow()));
      await announce(many);
      counted.committed(many);
      await counted.drain();
    }
    expect(received).toHaveLength(51);
    expect(named).toEqual(['things_outbox_mark_published', 'things_outbox_mark_published']);
  });

  describe('sets aside', () => {
    const state = async (...rows: OutboxRow[]) => {
      const found = await database.db.query<{ id: string }>({
        text: `select id, claimed_until > now() + interval '5 seconds' as waits, set_aside, published_in is not null as published
          from things.outbox`,
      });
      return rows.map((row) => found.find(({ id }) => id === row.id));
    };
    const waiting = { waits: true, set_aside: null, published: false };
    const published = { waits: false, set_aside: null, published: true };

    /** Makes the bus refuse these events while accepting the rest of their batch. */
    const refusing = (refused: readonly OutboxRow[], error: Error) => {
      const { publish } = bus;
      bus.publish = async (batch) => {
        const bad = batch.events.filter((event) => refused.some((row) => row.event.equals(event)));
        await publish({ ...batch, events: batch.events.filter((event) => !bad.includes(event)) });
        return { refused: bad.map((event) => ({ event, error })) };
      };
    };

    test('an event too large for any message, and publishes the others', async () => {
      const many = [someRow(), someRow(), someRow()];
      await announce(many);
      refusing([many[1]!], new HearthError('too_large', 'an event of 2000000 bytes fits no message'));
      outbox.committed(many);
      await outbox.drain();
      expect(received).toEqual([eventId(many[0]!), eventId(many[2]!)]);
      const aside = { ...waiting, set_aside: 'an event of 2000000 bytes fits no message' };
      expect(await state(...many)).toMatchObject([published, aside, published]);
      expect(errors).toMatchObject([{ schema: 'things', id: many[1]!.id, type: 'message_sent' }]);
      await age();
      await outbox.sweep();
      expect(received).toHaveLength(2);
    });

    test('temporarily an event that a local consumer rejects, and permanently after three days of retries', async () => {
      const bad = someRow();
      await announce([bad]);
      refusing([bad], new Error('cannot be read'));
      // The home was stopped meanwhile, or the clock was set forward.
      await database.transaction((tx) =>
        tx.execute({ text: `update things.outbox set created_at = now() - interval '73 hours'` }),
      );
      let hours = 0;
      for (;;) {
        await age();
        await outbox.sweep();
        const row = await database.db.one<{ pause: number; set_aside: string | null }>({
          text: `select extract(epoch from claimed_until - now())::float8 / 3600 as pause, set_aside from things.outbox`,
        });
        if (row.set_aside !== null) break;
        hours += row.pause;
      }
      expect(hours).toBeGreaterThan(71);
      expect(hours).toBeLessThan(73);
      expect(await state(bad)).toMatchObject([{ set_aside: 'cannot be read', published: false }]);
    });

    test('no event of unavailable consumers, and publishes other types', async () => {
      const [one, other] = [someRow(), otherRow()];
      await announce([one, other]);
      const { publish } = bus;
      bus.publish = (batch) =>
        batch.subject === 'event.message_sent'
          ? Promise.reject(unavailable('the consumers of messages are away'))
          : publish(batch);
      await age();
      await expect(outbox.sweep()).rejects.toThrow('the consumers of messages are away');
      expect(received).toEqual([eventId(other)]);
      expect(await state(one, other)).toMatchObject([waiting, published]);
    });
  });
});
