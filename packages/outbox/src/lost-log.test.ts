import { fileURLToPath } from 'node:url';
import { fromBinary } from '@bufbuild/protobuf';
import type { Bus } from '@hearth/bus';
import { createNatsBus } from '@hearth/bus/nats';
import { hour, minute, systemClock } from '@hearth/clock';
import { type Database, migrate, openDatabase, silentLog } from '@hearth/db';
import { createIds, systemRandom } from '@hearth/ids';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { eventually } from '@hearth/testkit';
import { startNats } from '@hearth/testkit/nats';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createOutbox, outboxMigrations, type RunningOutbox } from './index.ts';

// A NATS server that lost confirmed events: each event must still reach every consumer.
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const ids = createIds(systemClock, systemRandom);
let nats: Awaited<ReturnType<typeof startNats>>;
let testDatabase: TestDatabase;
let database: Database;
let bus: Bus;
let outbox: RunningOutbox;
let now: number;
const clock = { now: () => now };

beforeAll(async () => {
  nats = await startNats();
  testDatabase = await createTestDatabase();
  const folder = fileURLToPath(outboxMigrations);
  await migrate({ url: testDatabase.url, schema: 'things', folder, clock: systemClock, log: silentLog });
  database = openDatabase({ url: testDatabase.url, clock: systemClock, instance: 'one' });
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
  await nats.stop();
});

let homes = 0;
beforeEach(async () => {
  await database.transaction((tx) => tx.execute({ text: 'delete from things.outbox' }));
  homes += 1;
  now = systemClock.now();
  bus = await open();
  outbox = start();
});

afterEach(() => bus.close());

const open = () =>
  createNatsBus({
    url: nats.url,
    prefix: `home-${homes}`,
    key: Buffer.from('a key of the home'),
    clock: systemClock,
    log,
  });
const start = () => createOutbox({ database, schema: 'things', bus, clock, ids, log });

/** A consumer of everything that ignores repeated events, as consumers do. */
async function hearing(durable: string): Promise<Set<string>> {
  const heard = new Set<string>();
  await bus.consume({
    durable,
    subjects: ['event.>'],
    handle: async (events) => {
      for (const event of events) heard.add(fromBinary(EventSchema, event).id);
    },
  });
  return heard;
}

/** Writes `count` events. Returns their ids. */
async function announce(count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () =>
    outbox.row({ data: { case: 'messageSent', value: { messageId: 'msg_1', to: 'someone' } } }),
  );
  await database.transaction((tx) => outbox.insert(tx, rows));
  outbox.committed(rows);
  await outbox.drain();
  return rows.map(({ id }) => `evt_${id.replaceAll('-', '')}`);
}

async function putBack(copy: () => Promise<void>): Promise<void> {
  await nats.kill();
  await copy();
  await nats.start();
}

async function copyOfNow(): Promise<() => Promise<void>> {
  await nats.kill();
  const copy = await nats.copy();
  await nats.start();
  await eventually(() => bus.health().ok);
  return copy;
}

test('an event log restored from an hour-old copy: events before and after the copy are delivered', async () => {
  const before = await announce(5);
  const copy = await copyOfNow();
  now += hour;
  await outbox.purge();
  const since = await announce(5);
  await putBack(copy);
  // The reconnection reveals it, even if nothing is published.
  const heard = await hearing('log');
  await eventually(() => heard.size === 10);
  expect(heard).toEqual(new Set([...before, ...since]));
});

test('an event log restored while no process ran', async () => {
  const copy = await copyOfNow();
  const announced = await announce(5);
  await bus.close();
  await putBack(copy);
  bus = await open();
  outbox = start();
  await outbox.sweep();
  announced.push(...(await announce(5)));
  await outbox.sweep();
  const heard = await hearing('log');
  await eventually(() => heard.size === 10);
  expect(heard).toEqual(new Set(announced));
});

test('an event log purged by hand before delivery', async () => {
  const announced = await announce(5);
  const connection = await connect({ servers: nats.url });
  await (await jetstreamManager(connection)).streams.purge(`home-${homes}-event`);
  await connection.close();
  announced.push(...(await announce(5)));
  const heard = await hearing('log');
  await outbox.purge();
  await eventually(() => heard.size === 10);
  expect(heard).toEqual(new Set(announced));
});

test('an outage of half an hour followed by the loss of all data', async () => {
  await nats.kill();
  await eventually(() => !bus.health().ok);
  const announced = await announce(5);
  now += 30 * minute;
  await nats.start();
  await eventually(() => bus.health().ok);
  await database.transaction((tx) =>
    tx.execute({
      text: `update things.outbox set claimed_until = now(), created_at = now() - interval '30 minutes'`,
    }),
  );
  await outbox.sweep();
  await outbox.purge();
  await nats.kill();
  await nats.wipe();
  await nats.start();
  const heard = await hearing('log');
  await eventually(() => heard.size === 5);
  expect(heard).toEqual(new Set(announced));
});
