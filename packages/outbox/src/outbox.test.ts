import { fromBinary } from '@bufbuild/protobuf';
import { type Bus, createLocalBus } from '@hearth/bus';
import { systemClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { unavailable } from '@hearth/errors';
import { createIds, systemRandom } from '@hearth/ids';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createOutbox, decodeWake, type OutboxRow, type RunningOutbox, wakeSubject } from './index.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const ids = createIds(systemClock, systemRandom);
let testDatabase: TestDatabase;
let database: Database;
let bus: Bus;
let outbox: RunningOutbox;
let received: string[];
let wakes: { topics: readonly string[]; events: readonly string[] }[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ url: testDatabase.url, clock: systemClock });
  await database.transaction(async (tx) => {
    await tx.execute({ text: 'create schema things' });
    await tx.execute({
      text: `create table things.outbox (
        id uuid primary key, type text not null, event bytea not null, created_at timestamptz not null default now(),
        claimed_until timestamptz not null default now() + interval '10 seconds', published_in text)`,
    });
  });
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
  outbox = createOutbox({ database, schema: 'things', bus, clock: systemClock, ids, log });
});

const someRow = (topics: string[] = []) =>
  outbox.row({ data: { case: 'messageSent', value: { messageId: 'msg_1', to: 'someone' } }, topics });
const eventId = (row: OutboxRow) => `evt_${row.id.replaceAll('-', '')}`;
const announce = (rows: OutboxRow[]) => database.transaction((tx) => outbox.insert(tx, rows));
const rows = () =>
  database.db.query<{ published_in: string | null }>({
    text: 'select published_in from things.outbox order by published_in nulls first',
  });
/** As if the process that wrote it had died a while ago. */
const age = () =>
  database.transaction((tx) =>
    tx.execute({
      text: `update things.outbox set claimed_until = now() - interval '1 second', created_at = created_at - interval '20 minutes'`,
    }),
  );

describe('an outbox', () => {
  test('publishes right after the commit, and marks what it published', async () => {
    const row = someRow();
    await announce([row]);
    outbox.committed([row]);
    await outbox.drain();
    expect(received).toEqual([eventId(row)]);
    expect(await rows()).toEqual([{ published_in: bus.epoch() }]);
  });

  test('wakes the holders at once, one signal for one turn, with the events that it speaks of', async () => {
    const [one, two] = [someRow(['a', 'b']), someRow(['b', 'c'])];
    outbox.committed([one]);
    outbox.committed([two]);
    outbox.wake(['d']);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(wakes).toEqual([{ topics: ['a', 'b', 'c', 'd'], events: [one.id, two.id] }]);
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

  test('the sweep finds what a crash left, but not what another process has just written', async () => {
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

  test('two sweeps at once take no row twice, however many there are', async () => {
    const many = Array.from({ length: 1_200 }, () => someRow());
    await announce(many);
    await age();
    const other = createOutbox({ database, schema: 'things', bus, clock: systemClock, ids, log });
    await Promise.all([outbox.sweep(), other.sweep()]);
    expect(received).toHaveLength(1_200);
    expect(new Set(received).size).toBe(1_200);
  });

  test('a bus that is away loses nothing', async () => {
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

  test('two batches that begin with the same row are two batches to the bus', async () => {
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

  test('what went into a log that is gone is published again', async () => {
    const row = someRow();
    await announce([row]);
    outbox.committed([row]);
    await outbox.drain();
    await outbox.republishLost();
    expect(received).toHaveLength(1);
    bus.epoch = () => 'a new log';
    await outbox.republishLost();
    expect(received).toEqual([eventId(row), eventId(row)]);
  });

  test('when that fails the sweep tries again, and a last time for what was marked late', async () => {
    let now = systemClock.now();
    const other = createOutbox({ database, schema: 'things', bus, clock: { now: () => now }, ids, log });
    const [early, late] = [someRow(), someRow()];
    await announce([early]);
    outbox.committed([early]);
    await outbox.drain();
    bus.epoch = () => 'a new log';
    const { publish } = bus;
    bus.publish = () => Promise.reject(unavailable('the bus is away'));
    await expect(other.republishLost()).rejects.toThrow('the bus is away');
    bus.publish = publish;
    await age();
    await other.sweep();
    expect(received).toEqual([eventId(early), eventId(early)]);

    bus.epoch = () => 'in-process';
    await announce([late]);
    outbox.committed([late]);
    await outbox.drain();
    bus.epoch = () => 'a new log';
    await other.sweep();
    expect(received).toHaveLength(3);
    now += 15_000;
    await other.sweep();
    expect(received.slice(3)).toEqual([eventId(late)]);
    now += 15_000;
    bus.epoch = () => 'yet another log, of which nobody has told';
    await other.sweep();
    expect(received).toHaveLength(4);
  });

  test('a log lost while a batch is published into it does not pass for the new one', async () => {
    const row = someRow();
    await announce([row]);
    const { publish } = bus;
    bus.publish = async (batch) => {
      await publish(batch);
      bus.epoch = () => 'a new log';
    };
    outbox.committed([row]);
    await outbox.drain();
    expect(await rows()).toEqual([{ published_in: 'in-process' }]);
  });

  test('purges what was published a while ago, and nothing else', async () => {
    const [old, waiting, young] = [someRow(), someRow(), someRow()];
    await announce([old, waiting]);
    outbox.committed([old]);
    await outbox.drain();
    await age();
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
});
