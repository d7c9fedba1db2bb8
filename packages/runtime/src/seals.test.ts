import { randomBytes } from 'node:crypto';
import { createLocalBus } from '@hearth/bus';
import { systemClock } from '@hearth/clock';
import { type Database, openDatabase } from '@hearth/db';
import { systemRandom } from '@hearth/ids';
import { createSealer, derivationOf, type Sealer } from '@hearth/sealing';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createDueTimer } from './due-timer.ts';
import { createJobs } from './jobs.ts';
import { migrateShared } from './migrate-home.ts';
import { openSealer } from './open-sealer.ts';
import { createSeals } from './seals.ts';

const log = createLogger({ level: 'error', service: 'test', stream: { write: () => {} } });
const newKey = () => randomBytes(32).toString('base64url');
const [first, second, third] = [newKey(), newKey(), newKey()];
const before = createSealer(first, systemRandom);
/** Enough for a run to take several transactions. */
const rowsInAll = 6_000;

let testDatabase: TestDatabase;
let database: Database;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase({ url: testDatabase.url, clock: systemClock });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const migrated = () => migrateShared({ url: testDatabase.url, clock: systemClock, log });
const statement = (text: string, values: unknown[] = []) =>
  database.statement((tx) => tx.execute({ text, values }));

/** A process of the home with these keys, which runs its job on request. */
async function start(key: string, other?: string, through: Database = database) {
  const sealer = await openSealer(
    database,
    { operatorKey: '', sealKey: key, otherSealKey: other },
    systemRandom,
  );
  const due = createDueTimer({ clock: systemClock, log, ask: async () => [], tell: () => {} });
  const jobs = createJobs({ log, random: systemRandom, due });
  const seals = createSeals({
    database: through,
    sealer,
    // Its own signal would begin a run beside the test's.
    bus: { ...createLocalBus({ log }), signal: () => {} },
    clock: systemClock,
    log,
    jobs,
  });
  seals.add('kept', [
    { table: 'things', column: 'secret', context: "'thing:' || id" },
    { table: 'things', column: 'data', member: 'sealed', context: "'thing.data:' || id" },
  ]);
  await seals.start();
  return { sealer, seals, run: () => jobs.run('home: reseal') };
}

const stored = () =>
  database.db.query<{ id: number; secret: Buffer | null; data: { sealed?: string } }>({
    text: 'select id, secret, data from kept.things order by id',
  });

async function fill() {
  await statement('create schema kept');
  await statement('create table kept.things (id int primary key, secret bytea, data jsonb not null)');
  const ids = Array.from({ length: rowsInAll }, (_, id) => id);
  const secrets = ids.map((id) => (id % 3 === 2 ? null : before.seal(Buffer.from(`${id}`), `thing:${id}`)));
  const data = ids.map((id) =>
    JSON.stringify(
      id % 3 === 1
        ? { sealed: before.seal(Buffer.from(`${id}`), `thing.data:${id}`).toString('base64') }
        : {},
    ),
  );
  await statement('insert into kept.things select * from unnest($1::int[], $2::bytea[], $3::jsonb[])', [
    ids,
    secrets,
    data,
  ]);
}

async function expectAllOpenedBy(sealer: Sealer) {
  const wrong = (await stored()).filter(({ id, secret, data }) => {
    const opened = [
      secret === null ? null : sealer.open(secret, `thing:${id}`),
      data.sealed === undefined ? null : sealer.open(Buffer.from(data.sealed, 'base64'), `thing.data:${id}`),
    ];
    return opened.some((plain) => plain !== null && plain.toString() !== `${id}`);
  });
  expect(wrong).toEqual([]);
}

test('reseals every value, even across crashes, and no longer needs the old key', async () => {
  await migrated();
  await fill();
  await (await start(first)).run();
  const { seals, sealer } = await start(second, first);
  const derived = sealer.derive('shield', 'someone');
  await seals.ask();

  // The first process dies in its third transaction, the second in its fifth: their commits stay.
  let left = 0;
  const dying: Database = {
    ...database,
    transaction: async (work) => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return await database.transaction(work);
    },
  };
  const remaining = async () => {
    const counts = await database.db.one<{ n: number }>({
      text: 'select count(*) as n from kept.things where substring(secret from 1 for 5) <> $1',
      values: [sealer.mark],
    });
    return counts.n;
  };
  const seen = [await remaining()];
  for (const transactions of [2, 4]) {
    left = transactions;
    const doomed = await start(second, first, dying);
    await expect(doomed.run()).rejects.toThrow('killed');
    await expectAllOpenedBy(sealer);
    seen.push(await remaining());
  }
  expect(seen[0]).toBe(4_000);
  expect(seen[1]).toBeLessThan(seen[0]!);
  expect(seen[2]).toBeLessThan(seen[1]!);

  // Two at once do the rest.
  await Promise.all([(await start(second, first)).run(), (await start(second, first)).run()]);
  expect((await seals.state()).places).toEqual([
    { place: 'home.secrets.sealed', remaining: 0, unopened: 0 },
    { place: 'kept.things.data.sealed', remaining: 0, unopened: 0 },
    { place: 'kept.things.secret', remaining: 0, unopened: 0 },
  ]);
  const alone = await start(second);
  await expectAllOpenedBy(alone.sealer);
  expect(alone.sealer.derive('shield', 'someone')).toEqual(derived);
  await expect(start(first)).rejects.toThrow(/another HEARTH_SEAL_KEY/);
});

test('reports values that no key opens, reseals the others, and counts unchecked values', async () => {
  await migrated();
  await fill();
  await start(first);
  const lost = createSealer(third, systemRandom).seal(Buffer.from('x'), 'thing:3');
  await statement('update kept.things set secret = $1 where id = 3', [lost]);
  const { seals, run } = await start(second, first);
  expect(await seals.state()).toMatchObject({ askedAt: null, otherKey: before.mark.toString('hex') });
  await run();
  expect((await seals.state()).places).toContainEqual({
    place: 'kept.things.secret',
    remaining: null,
    unopened: 0,
  });
  await seals.ask();
  await run();
  const { askedAt, places } = await seals.state();
  expect(askedAt).toBeInstanceOf(Date);
  expect(places).toContainEqual({ place: 'kept.things.secret', remaining: 1, unopened: 1 });
  expect(places).toContainEqual({ place: 'kept.things.data.sealed', remaining: 0, unopened: 0 });
});

test('a process without the new key changes nothing, and a process with a single key cannot request it', async () => {
  await migrated();
  await fill();
  const old = await start(first);
  await expect(old.seals.ask()).rejects.toThrow(/HEARTH_SEAL_KEY_OTHER/);
  // In a first step every process can open values with the new key, but none seals with it.
  const ready = await start(first, second);
  await (await start(second, first)).seals.ask();
  await Promise.all([old.run(), ready.run()]);
  await expectAllOpenedBy(before);
  const written = createSealer(second, systemRandom, { other: first }).seal(Buffer.from('0'), 'thing:0');
  expect(ready.sealer.open(written, 'thing:0').toString()).toBe('0');
  expect(() => old.sealer.open(written, 'thing:0')).toThrow(/cannot be opened/);
});

test('a home from an earlier version keeps its derived values for good', async () => {
  await statement('create schema identity');
  await statement('create table identity.migrations (number int)');
  await migrated();
  await fill();
  await expect(start(second, first)).rejects.toThrow(/start it once without HEARTH_SEAL_KEY_OTHER/);
  const { sealer } = await start(first);
  const derived = createSealer(first, systemRandom, { derivation: derivationOf(first) }).derive(
    'claim',
    'ai',
  );
  expect(sealer.derive('claim', 'ai')).toEqual(derived);
  expect(sealer.derive('claim', 'ai')).toEqual(before.derive('claim', 'ai'));
  expect((await start(second, first)).sealer.derive('claim', 'ai')).toEqual(derived);
});

test('a new home derives from its own secret, independently of the seal key', async () => {
  await migrated();
  const { sealer } = await start(first);
  expect(sealer.derive('claim', 'ai')).not.toEqual(before.derive('claim', 'ai'));
  expect((await start(first)).sealer.derive('claim', 'ai')).toEqual(sealer.derive('claim', 'ai'));
});
