import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { copyTestDatabase, createTestDatabase, startTestPostgres, type TestPostgres } from './postgres.ts';

let server: TestPostgres;
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
/** Above any process id that a system assigns. */
const abandoned = join(parent, 'hearth-test-postgres-2147483646-abc');

beforeAll(async () => {
  mkdirSync(abandoned, { recursive: true });
  server = await startTestPostgres();
});

afterAll(() => server.stop());

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test('each database is empty and isolated', async () => {
  const [first, second] = await Promise.all([createTestDatabase(server.url), createTestDatabase(server.url)]);
  await ask(first.url, 'create table only_here (id integer)');
  expect(await ask(first.url, 'select * from only_here')).toEqual([]);
  await expect(ask(second.url, 'select * from only_here')).rejects.toThrow('does not exist');
  await Promise.all([first.drop(), second.drop()]);
});

test('a template is prepared once, also for concurrent callers, and each copy is isolated', async () => {
  let times = 0;
  const prepare = async (url: string) => {
    times += 1;
    await ask(url, 'create table prepared (id integer)');
  };
  const copy = () => copyTestDatabase('prepared', prepare, server.url);
  const copies = await Promise.all([copy(), copy(), copy()]);
  await ask(copies[0]!.url, 'insert into prepared values (1)');
  const rows = [...copies, await copy()].map(({ url }) => ask(url, 'select * from prepared'));
  expect(await Promise.all(rows)).toEqual([[{ id: 1 }], [], [], []]);
  expect(times).toBe(1);
});

test('a failed preparation is retried by the next caller', async () => {
  const copy = (statement: string) =>
    copyTestDatabase('broken', (url) => ask(url, statement).then(() => {}), server.url);
  await expect(copy('create nothing')).rejects.toThrow('syntax error');
  const { url } = await copy('create table mended (id integer)');
  expect(await ask(url, 'select * from mended')).toEqual([]);
});

test('a database is dropped despite an open connection', async () => {
  const database = await createTestDatabase(server.url);
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  await database.drop();
  await database.drop();
  await expect(ask(database.url, 'select 1')).rejects.toThrow('does not exist');
  await client.end().catch(() => {});
});

test('databases left by a killed run are removed', () => {
  expect(existsSync(abandoned)).toBe(false);
});
