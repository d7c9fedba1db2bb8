import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Bus, createLocalBus } from '@hearth/bus';
import { createNatsBus } from '@hearth/bus/nats';
import { systemClock } from '@hearth/clock';
import { type Database, migrate, openDatabase, silentLog } from '@hearth/db';
import { createIds, systemRandom } from '@hearth/ids';
import {
  createOutbox,
  type EventData,
  type OutboxRow,
  outboxMigrations,
  type RunningOutbox,
} from '@hearth/outbox';
import { eventually } from '@hearth/testkit';
import { freePort } from '@hearth/testkit/free-port';
import { startNats } from '@hearth/testkit/nats';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { startTcpProxy, type TcpProxy } from '@hearth/testkit/tcp-proxy';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startConsumer } from './consume.ts';
import { createPlaces } from './keep-order.ts';

// Two processes that announce and consume, each with its own connections to Postgres and NATS.
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const ids = createIds(systemClock, systemRandom);
const durable = 'things-listener';
const types = ['person_changed', 'account_deleted'];

interface Process {
  database: Database;
  bus: Bus;
  outbox: RunningOutbox;
  proxy: TcpProxy;
}

let nats: Awaited<ReturnType<typeof startNats>>;
let testDatabase: TestDatabase;
let one: Process;
let other: Process;
let homes = 0;
/** A person's names in the order in which they were handled: "person name". */
let handled: string[];
/** Delays the handling of an event there. */
let slowness: (name: string, process: Process) => Promise<unknown>;

beforeAll(async () => {
  nats = await startNats();
  testDatabase = await createTestDatabase();
  const folder = fileURLToPath(outboxMigrations);
  await migrate({ url: testDatabase.url, schema: 'things', folder, clock: systemClock, log: silentLog });
});

afterAll(async () => {
  await testDatabase.drop();
  await nats.stop();
});

beforeEach(async () => {
  homes += 1;
  handled = [];
  slowness = async () => {};
  [one, other] = await Promise.all([startProcess('one'), startProcess('other')]);
  await one.database.transaction(async (tx) => {
    await tx.execute({ text: 'truncate things.outbox, things.handled_places' });
  });
});

afterEach(async () => {
  for (const { database, bus, outbox, proxy } of [one, other]) {
    proxy.set({ cut: 'none' });
    await outbox.drain();
    await bus.close();
    await database.close();
    await proxy.stop();
  }
});

async function startProcess(instance: string): Promise<Process> {
  const port = await freePort();
  const proxy = await startTcpProxy(port, Number(new URL(nats.url).port));
  const database = openDatabase({ url: testDatabase.url, clock: systemClock, instance });
  const bus = await createNatsBus({
    url: `nats://127.0.0.1:${port}`,
    prefix: `home-${homes}`,
    key: Buffer.from('a key of the home'),
    clock: systemClock,
    log,
    limits: { ackWait: 500 },
    retries: { firstEarly: 10, longestEarly: 25 },
  });
  const outbox = createOutbox({ database, schema: 'things', bus, clock: systemClock, ids, log });
  const process = { database, bus, outbox, proxy };
  await listen(process);
  return process;
}

async function listen(process: Process): Promise<void> {
  const places = createPlaces({ ...process, clock: systemClock }, 'things', durable);
  const handle = async (received: { event: { data: EventData } }[]) => {
    for (const { event } of received) {
      const name = nameIn(event.data);
      await slowness(name, process);
      if (!handled.includes(name)) handled.push(name);
    }
  };
  await startConsumer(process.bus, { durable, types, handle: handle as never, places });
}

const nameIn = ({ case: type, value }: EventData) =>
  type === 'personChanged'
    ? `${value.person!.id} ${value.person!.name}`
    : type === 'accountDeleted'
      ? `${value.deleted![0]} gone`
      : 'another';
const named = (person: string, name: string): EventData => ({
  case: 'personChanged',
  value: { person: { id: person, name }, changed: ['name'] },
});
const gone = (person: string): EventData => ({ case: 'accountDeleted', value: { deleted: [person] } });

async function commit({ database, outbox }: Process, ...data: EventData[]): Promise<OutboxRow[]> {
  const rows = data.map((each) => outbox.row({ data: each }));
  await database.transaction((tx) => outbox.insert(tx, rows));
  return rows;
}

test('an event waits for an earlier one that another process publishes later', async () => {
  const first = await commit(one, named('ada', '1'));
  other.outbox.committed(await commit(other, named('ada', '2'), gone('ada')));
  other.outbox.committed(await commit(other, named('bob', '1')));
  await eventually(() => handled.length > 0);
  await delay(100);
  expect(handled).toEqual(['bob 1']);
  one.outbox.committed(first);
  await eventually(() => handled.length === 4);
  expect(handled).toEqual(['bob 1', 'ada 1', 'ada 2', 'ada gone']);
});

test('an event waits for one in progress at another process, and for one of a dead process', async () => {
  const { promise: never, resolve: end } = Promise.withResolvers<void>();
  let stuck: Process | undefined;
  slowness = async (name, process) => {
    if (name !== 'ada 1' || (stuck !== undefined && stuck !== process)) return;
    stuck = process;
    await never;
  };
  one.outbox.committed(await commit(one, named('ada', '1')));
  await eventually(() => stuck !== undefined);
  const living = stuck === one ? other : one;
  living.outbox.committed(await commit(living, named('ada', '2')));
  await delay(300);
  expect(handled).toEqual([]);
  stuck!.proxy.set({ cut: 'both' });
  await eventually(() => handled.length === 2);
  expect(handled).toEqual(['ada 1', 'ada 2']);
  end();
});

test("each person's events stay in order and complete, however they are distributed and delayed", async () => {
  const chance = (most: number) => Math.floor((systemRandom.bytes(1)[0]! / 256) * most);
  slowness = () => delay(chance(4));
  const people = ['ada', 'bob', 'kit', 'zoe'];
  const committed = new Map<string, string[]>(people.map((person) => [person, []]));
  const publishing: Promise<unknown>[] = [];
  for (let n = 0; n < 120; n += 1) {
    const person = people[chance(people.length)]!;
    const process = chance(2) === 0 ? one : other;
    const data = n % 10 === 9 ? gone(person) : named(person, `${n}`);
    const rows = await commit(process, data);
    const names = committed.get(person)!;
    if (!names.includes(nameIn(data))) names.push(nameIn(data));
    publishing.push(delay(chance(40)).then(() => process.outbox.committed(rows)));
  }
  await Promise.all(publishing);
  const all = [...committed.values()].flat();
  await eventually(() => handled.length === all.length);
  for (const [person, names] of committed)
    expect(handled.filter((name) => name.startsWith(`${person} `))).toEqual(names);
});

test('a missing event is awaited for a while, then later events continue in order', async () => {
  await commit(one, named('ada', '1'));
  other.outbox.committed(await commit(other, named('ada', '2')));
  // Events that start waiting at the same time stop at the same time.
  await delay(150);
  other.outbox.committed(await commit(other, named('ada', '3')));
  await eventually(() => handled.length === 2);
  expect(handled).toEqual(['ada 2', 'ada 3']);
});

test('in one process, an event waits for one whose publication failed, and both are redelivered', async () => {
  const bus = createLocalBus({ log });
  const { database } = one;
  const outbox = createOutbox({ database, schema: 'things', bus, clock: systemClock, ids, log });
  await listen({ ...one, bus, outbox });
  await commit(one, named('ada', '1'));
  outbox.committed(await commit(one, gone('ada'), named('ada', '2')));
  await outbox.drain();
  expect(handled).toEqual([]);
  // As after the claims expire.
  await database.statement((tx) => tx.execute({ text: 'update things.outbox set claimed_until = now()' }));
  await outbox.sweep();
  expect(handled).toEqual(['ada 1', 'ada gone', 'ada 2']);
  await bus.close();
});

test("a consumer without one of an object's event types does not start", async () => {
  const places = createPlaces({ database: one.database, clock: systemClock }, 'things', 'some');
  const consumer = { durable: 'some', types: ['person_changed'], handle: async () => {}, places };
  await expect(startConsumer(one.bus, consumer)).rejects.toThrow(
    'some keeps the order of events about each person, and does not consume account_deleted',
  );
});
