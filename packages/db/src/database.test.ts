import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from './database.ts';
import { isUniqueViolation } from './errors.ts';
import type { SlowStatement } from './send.ts';
import { fragment, named, raw, sql } from './sql.ts';
import { type OwnDatabase, ownDatabase, testClock } from './test-support.ts';
import type { Db, Tx } from './types.ts';

let own: OwnDatabase;
let database: Database;

beforeAll(async () => {
  own = await ownDatabase();
  database = own.open();
  await database.transaction(async (tx) => {
    await tx.execute({
      text: 'create table people (id integer primary key, name text not null unique, age integer)',
    });
  });
});

afterAll(() => own.remove());

const countPeople = async (db: Db) =>
  (await db.one<{ count: number }>({ text: 'select count(*) from people' })).count;
const addPerson = (tx: Tx, id: number, name: string) =>
  tx.execute(named('add-person')`insert into people (id, name) values (${id}, ${name})`);

describe('the types', () => {
  test('require a Tx for writes, and accept a Tx wherever a read is possible', async () => {
    // @ts-expect-error a Db may not write
    const write = () => addPerson(database.db, 1, 'ann');
    await expect(write()).rejects.toThrow('needs a Tx');
    expect(await database.transaction((tx) => countPeople(tx))).toBe(0);
  });
});

describe('values', () => {
  test('survive the round trip without loss', async () => {
    const row = await database.db.one({
      text: `select 9007199254740991::bigint as safe, 9007199254740993::bigint as beyond,
        array[1, null, 9007199254740993]::bigint[] as numbers, '2030-05-06 07:08:09.123+02'::timestamptz as moment,
        '2030-05-06'::date as day, '018f6f7e-0000-7000-8000-000000000001'::uuid as id, 12.50::numeric as amount,
        '{"a":[1]}'::jsonb as json, '\\x00ff'::bytea as bytes, true as yes, null as nothing, '{a,b}'::text[] as words`,
    });
    expect(row).toEqual({
      safe: 9007199254740991,
      beyond: 9007199254740993n,
      numbers: [1, null, 9007199254740993n],
      moment: new Date('2030-05-06T05:08:09.123Z'),
      day: '2030-05-06',
      id: '018f6f7e-0000-7000-8000-000000000001',
      amount: '12.50',
      json: { a: [1] },
      bytes: Buffer.from([0, 255]),
      yes: true,
      nothing: null,
      words: ['a', 'b'],
    });
  });

  test('are sent as parameters, whatever they contain', async () => {
    const nasty = `'; drop table people; --`;
    const row = await database.db.one<Record<string, unknown>>(
      sql`select ${nasty}::text as text, ${new Date(0)}::timestamptz as moment, ${[1, 2]}::int[] as list, ${null}::text as nothing`,
    );
    expect(row).toEqual({ text: nasty, moment: new Date(0), list: [1, 2], nothing: null });
  });

  test('may be nested in fragments of fragments', async () => {
    const columns = fragment`id, ${raw(['name', 'age'].join(', '))}`;
    const named = (name: string) => fragment`name <> ${name}`;
    const others = (id: number) => sql`select ${columns} from people where ${named('ann')} and id > ${id}`;
    const text = 'select id, name, age from people where name <> $1 and id > $2';
    expect(others(7)).toEqual({ text, values: ['ann', 7] });
    expect(await database.db.query(others(1))).toEqual([]);
    expect(`${columns}`).toBe('id, name, age');
    expect(() => `${named('ann')}`).toThrow('a fragment with values');
  });

  test('that cannot be sent fail only their own statement', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(database.db.query(sql`select ${circular}::jsonb`)).rejects.toThrow('circular');
    expect(await database.db.one(sql`select 1 as one`)).toEqual({ one: 1 });
  });
});

describe('reads', () => {
  test('one and maybeOne enforce their number of rows', async () => {
    expect(await database.db.maybeOne(sql`select 1 as a where false`)).toBeNull();
    expect(await database.db.maybeOne(sql`select 1 as a`)).toEqual({ a: 1 });
    await expect(database.db.one(sql`select 1 as a where false`)).rejects.toThrow(
      'should give one row and gave no row',
    );
    await expect(database.db.maybeOne(sql`select generate_series(1, 2)`)).rejects.toThrow('gave 2 rows');
  });

  test.each([
    'insert into people values (1)',
    '  UPDATE people set age = 1',
    'with gone as (delete from people returning id) select * from gone',
    '-- a remark\ntruncate people',
    "with x as (update people set name = '' returning id) select id from x",
  ])('refuse to run: %s', async (text) => {
    await expect(database.db.query({ text })).rejects.toThrow('needs a Tx');
  });

  test.each([
    'select 1',
    '\n -- remark\n with a as (select 1) select * from a',
    "select 'insert'",
    'values (1)',
  ])('run: %s', async (text) => {
    expect(await database.db.query({ text })).toHaveLength(1);
  });
});

describe('prepared statements', () => {
  test('are prepared once per connection under their name', async () => {
    const single = own.open({ maxConnections: 1 });
    for (const id of [1, 2, 3]) await single.db.query(named('by-id')`select id from people where id = ${id}`);
    const prepared = await single.db.query(
      sql`select name, (generic_plans + custom_plans)::int as runs from pg_prepared_statements`,
    );
    expect(prepared).toContainEqual({ name: 'by-id', runs: 3 });
  });

  test('are refused under one name with two texts', async () => {
    const single = own.open({ maxConnections: 1 });
    await single.db.query(named('twice')`select 1`);
    await expect(single.db.query(named('twice')`select 2`)).rejects.toThrow('unique');
    expect(await single.db.query(sql`select 3 as a`)).toEqual([{ a: 3 }]);
  });

  test('outlive a migration that changes their result', async () => {
    await database.transaction((tx) => tx.execute({ text: 'create table shapes (side integer)' }));
    const reading = { name: 'sides', text: 'select side from shapes' };
    await Promise.all(Array.from({ length: 10 }, () => database.db.query(reading)));
    await database.transaction((tx) => tx.execute({ text: 'alter table shapes alter side type bigint' }));
    await Promise.all(Array.from({ length: 10 }, () => database.db.query(reading)));
    expect(await database.transaction((tx) => tx.query(reading))).toEqual([]);
  });
});

describe('a failing statement', () => {
  test('that hits an existing row is recognisable, and keeps the connection', async () => {
    const single = own.open({ maxConnections: 1 });
    const pid = () => single.db.one(sql`select pg_backend_pid() as pid`);
    const before = await pid();
    await single.statement((tx) => addPerson(tx, 10, 'ben'));
    const error = await single.statement((tx) => addPerson(tx, 11, 'ben')).catch((thrown: unknown) => thrown);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'people_name_key')).toBe(true);
    expect(isUniqueViolation(error, 'people_pkey')).toBe(false);
    expect(isUniqueViolation(new Error('other'))).toBe(false);
    expect(isUniqueViolation(null)).toBe(false);
    expect(await pid()).toEqual(before);
  });

  test('omits values from its message', async () => {
    await database.statement((tx) => addPerson(tx, 12, 'carol@example.org'));
    const error = (await database
      .statement((tx) => addPerson(tx, 13, 'carol@example.org'))
      .catch((thrown) => thrown)) as Error;
    expect(error).toMatchObject({ name: 'HearthError', kind: 'internal' });
    expect(error.message).toContain('add-person');
    expect(JSON.stringify([error, error.message, error.cause, { ...(error.cause as object) }])).not.toContain(
      'carol',
    );
  });

  test('that is not SQL is internal, with its name', async () => {
    await expect(database.db.query({ name: 'broken', text: 'select from where' })).rejects.toMatchObject({
      kind: 'internal',
      message: expect.stringContaining('broken'),
    });
  });
});

describe('slow statements', () => {
  test('are logged with their name and text, without values', async () => {
    const clock = testClock();
    const slow: SlowStatement[] = [];
    const watched = own.open({ clock, slowAfterMs: 100, onSlow: (statement) => slow.push(statement) });
    await watched.db.query(sql`select ${1}::int`);
    expect(slow).toEqual([]);
    const answer = watched.db.query(named('long')`select pg_sleep(${0.05})`);
    setTimeout(() => clock.advance(150), 20);
    await answer;
    expect(slow).toEqual([{ name: 'long', text: 'select pg_sleep($1)', milliseconds: 150 }]);
    const long = watched.db.query({ text: `select\n  pg_sleep(0.05), ${'1 + '.repeat(500)}1` });
    setTimeout(() => clock.advance(150), 20);
    await long;
    expect(slow[1]!.text).toMatch(/^select pg_sleep\(0.05\), [1+ ]+\.\.\.$/);
    expect(slow[1]!.text.length).toBeLessThan(200);
  });
});
