import { fileURLToPath } from 'node:url';
import { createLocalBus } from '@hearth/bus';
import { systemClock } from '@hearth/clock';
import { type Database, migrate, openDatabase, silentLog } from '@hearth/db';
import { badRequest } from '@hearth/errors';
import { createIds, systemRandom } from '@hearth/ids';
import { eventually } from '@hearth/testkit';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Announcement,
  type Commit,
  createCommit,
  createMachine,
  createOutbox,
  decodeWake,
  outboxMigrations,
  type RunningOutbox,
  wakeSubject,
} from './index.ts';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const ids = createIds(systemClock, systemRandom);
let testDatabase: TestDatabase;
let database: Database;
let outbox: RunningOutbox;
let commit: Commit;
let signals: string[];
let woken: string[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await migrate({
    url: testDatabase.url,
    schema: 'things',
    folder: fileURLToPath(outboxMigrations),
    clock: systemClock,
    log: silentLog,
  });
  database = openDatabase({ url: testDatabase.url, clock: systemClock });
  await database.transaction((tx) =>
    tx.execute({ text: 'create table things.doors (id text primary key, state text not null)' }),
  );
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  await database.transaction((tx) => tx.execute({ text: 'delete from things.outbox' }));
  await database.transaction((tx) => tx.execute({ text: 'delete from things.doors' }));
  signals = [];
  woken = [];
  const bus = createLocalBus({ log });
  bus.onSignal(wakeSubject, (payload) => woken.push(...decodeWake(payload).topics));
  for (const fact of ['people', 'credentials'])
    bus.onSignal(fact, (payload) => signals.push(`${fact}:${Buffer.from(payload)}`));
  outbox = createOutbox({ database, schema: 'things', bus, clock: systemClock, ids, log });
  commit = createCommit({ database, outbox, bus, ids });
});

const sent = (topic: string): Announcement => ({
  data: { case: 'messageSent', value: { messageId: 'msg_1', to: 'someone' } },
  topics: [topic],
});
const count = async () =>
  (await database.db.one<{ rows: number }>({ text: 'select count(*)::int as rows from things.outbox' })).rows;
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('a unit of work', () => {
  test('stores its events with its state, then sends signals and wakes after the commit', async () => {
    const answer = await commit(async (tx) => {
      tx.announce(sent('a'));
      tx.signal('people', 'one', 'two');
      tx.wake('b');
      await tx.execute({ text: `insert into things.doors values ('front', 'open')` });
      expect([signals, woken]).toEqual([[], []]);
      return 'done';
    });
    expect(answer).toBe('done');
    expect(await count()).toBe(1);
    await outbox.drain();
    await eventually(() => woken.length > 0);
    expect(signals).toEqual(['people:one', 'people:two']);
    expect(woken.toSorted()).toEqual(['a', 'b']);
  });

  test('leaves no rows, signals or wakes when it fails', async () => {
    const failing = commit(async (tx) => {
      tx.announce(sent('a'));
      tx.signal('people', 'one');
      tx.wake('b');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await settled();
    expect([await count(), signals, woken]).toEqual([0, [], []]);
  });

  test('announces once after a retried deadlock', async () => {
    await commit(async (tx) => {
      await tx.execute({ text: `insert into things.doors values ('a', 'shut'), ('b', 'shut')` });
    });
    let runs = 0;
    const both = Promise.withResolvers<void>();
    let waiting = 0;
    const change = (first: string, second: string) =>
      commit(async (tx) => {
        runs += 1;
        const lock = (id: string) =>
          tx.execute({ text: `update things.doors set state = 'open' where id = $1`, values: [id] });
        await lock(first);
        waiting += 1;
        if (waiting === 2) both.resolve();
        await both.promise;
        await lock(second);
        tx.announce(sent(first));
      });
    await Promise.all([change('a', 'b'), change('b', 'a')]);
    expect(runs).toBeGreaterThan(2);
    expect(await count()).toBe(2);
  });

  test('of one statement publishes the rows of that statement', async () => {
    const row = outbox.row(sent('a'));
    await commit.statement(async (tx) => {
      await tx.execute({
        text: 'insert into things.outbox (id, type, event) values ($1, $2, $3)',
        values: [row.id, row.type, row.event],
      });
      tx.announced([row]);
      tx.signal('credentials', 'one');
    });
    await outbox.drain();
    await eventually(() => woken.length > 0);
    expect([signals, woken]).toEqual([['credentials:one'], ['a']]);
  });
});

describe('a state machine', () => {
  type Door = { id: string; state: 'open' | 'shut' };
  type Act = 'open' | 'shut' | 'lock';
  const door = () =>
    createMachine<string, Door, Act, string>({
      commit,
      lock: (tx, id) =>
        tx.maybeOne<Door>({
          text: 'select id, state from things.doors where id = $1 for update',
          values: [id],
        }),
      next(state, act) {
        if (act === 'lock') throw badRequest('this door has no lock', { code: 'bad_field' });
        return act === state.state ? state : { ...state, state: act };
      },
      async write(tx, { after }) {
        await tx.execute({
          text: 'update things.doors set state = $2 where id = $1',
          values: [after.id, after.state],
        });
        tx.announce(sent(after.state));
        return `now ${after.state}`;
      },
    });
  const make = () =>
    commit(async (tx) => {
      await tx.execute({ text: `insert into things.doors values ('front', 'shut')` });
    });

  test('writes and announces an act, and nothing where nothing changes', async () => {
    await make();
    const machine = door();
    expect(await machine.act('front', () => 'open')).toEqual({
      state: { id: 'front', state: 'open' },
      done: 'now open',
    });
    expect((await machine.act('front', () => 'open')).done).toBeUndefined();
    expect((await machine.act('front', () => null)).state.state).toBe('open');
    expect(await count()).toBe(1);
  });

  test('refuses acts that its rules forbid, and unknown objects', async () => {
    await make();
    await expect(door().act('front', () => 'lock')).rejects.toThrow('no lock');
    await expect(door().act('back', () => 'open')).rejects.toMatchObject({ kind: 'not_found' });
    expect(await count()).toBe(0);
  });

  test('serializes concurrent acts', async () => {
    await make();
    const machine = door();
    const acts = Array.from({ length: 10 }, () =>
      machine.act('front', ({ state }) => (state === 'open' ? 'shut' : 'open')),
    );
    expect((await Promise.all(acts)).filter(({ done }) => done !== undefined)).toHaveLength(10);
    expect(await count()).toBe(10);
  });
});
