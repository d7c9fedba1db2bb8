import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@hearth/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { type OwnDatabase, ownDatabase, testClock } from '../test-support.ts';
import { silentLog } from '../types.ts';
import { migrate } from './migrate.ts';

let own: OwnDatabase;
let database: Database;
let folder: string;
let schema: string;
let schemas = 0;

beforeAll(async () => {
  own = await ownDatabase();
  database = own.open();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-migrations-'));
  schemas += 1;
  schema = `service_${schemas}`;
});

afterEach(() => rmSync(folder, { recursive: true }));

afterAll(() => own.remove());

const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const run = (log = silentLog) => migrate({ url: own.url, schema, folder, clock: testClock(), log });
const recorded = () =>
  database.db.query({ text: `select number, name, applied_at from ${schema}.migrations order by number` });

describe('migrate', () => {
  test('applies new files in order, and records them', async () => {
    write('0001-notes.sql', 'create table notes (id integer primary key);\ninsert into notes values (1);');
    write('0002-more-notes.sql', `insert into ${schema}.notes values (2);`);
    write('README.md', 'not a migration');
    await run();
    expect(await database.db.query({ text: `select id from ${schema}.notes order by id` })).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
    expect(await recorded()).toEqual([
      { number: 1, name: 'notes', applied_at: new Date('2030-01-01T00:00:00Z') },
      { number: 2, name: 'more-notes', applied_at: new Date('2030-01-01T00:00:00Z') },
    ]);
    write('0010-third.sql', 'insert into notes values (3);');
    await run();
    await run();
    expect(await database.db.query({ text: `select count(*) from ${schema}.notes` })).toEqual([{ count: 3 }]);
  });

  test('rolls back a failing file, reports where it failed, and continues once it is fixed', async () => {
    write('0001-good.sql', 'create table good (id integer);');
    write('0002-bad.sql', 'create table half (id integer);\n\ninsert into missing values (1);');
    await expect(run()).rejects.toThrow('0002-bad.sql, line 3: relation "missing" does not exist');
    expect(await recorded()).toHaveLength(1);
    expect(await database.db.one(sql`select to_regclass(${`${schema}.half`}) as half`)).toEqual({
      half: null,
    });
    write('0002-bad.sql', 'create table half (id integer);');
    await run();
    expect(await recorded()).toHaveLength(2);
  });

  test('refuses an edited file, but accepts changed line endings', async () => {
    write('0001-first.sql', 'create table a\n(id integer);\n');
    await run();
    write('0001-first.sql', 'create table a\r\n(id integer);\r\n');
    await run();
    write('0001-first.sql', 'create table a\n(id bigint);\n');
    await expect(run()).rejects.toThrow('0001-first.sql was changed after it was applied');
  });

  test('accepts a database that is ahead of the code', async () => {
    write('0001-first.sql', 'create table a (id integer);');
    write('0002-second.sql', 'create table b (id integer);');
    await run();
    rmSync(join(folder, '0002-second.sql'));
    await run();
    expect(await recorded()).toHaveLength(2);
  });

  test('refuses a file that commits by itself', async () => {
    write('0001-sly.sql', 'create table sly (id integer); commit; create table slyer (id integer);');
    await expect(run()).rejects.toThrow('begins or ends a transaction itself');
  });

  test('refuses invalid names, duplicate numbers and a missing folder', async () => {
    write('1-first.sql', 'select 1');
    await expect(run()).rejects.toThrow('named like 0001-what-it-does.sql');
    rmSync(join(folder, '1-first.sql'));
    write('0001-a.sql', 'select 1');
    write('0001-b.sql', 'select 1');
    await expect(run()).rejects.toThrow('have one number');
    await expect(
      migrate({ url: own.url, schema: 'a; drop', folder, clock: testClock(), log: silentLog }),
    ).rejects.toThrow('schema name');
    await expect(
      migrate({ url: own.url, schema, folder: `${folder}/none`, clock: testClock(), log: silentLog }),
    ).rejects.toThrow('cannot be read');
  });

  test('is unavailable without a database', async () => {
    write('0001-a.sql', 'select 1');
    const nowhere = migrate({
      url: 'postgres://a:b@127.0.0.1:1/c',
      schema,
      folder,
      clock: testClock(),
      log: silentLog,
    });
    await expect(nowhere).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('applies each file once when many start at the same time', async () => {
    for (const number of [1, 2, 3, 4]) {
      const create = number === 1 ? 'create table log (number integer);' : '';
      write(`000${number}-step.sql`, `${create} select pg_sleep(0.05); insert into log values (${number});`);
    }
    const applied: string[] = [];
    const log = {
      ...silentLog,
      info: (said: object) => void applied.push(...(said as { files: string[] }).files),
    };
    await Promise.all(Array.from({ length: 5 }, () => run(log)));
    expect(await database.db.query({ text: `select number from ${schema}.log` })).toEqual(
      [1, 2, 3, 4].map((number) => ({ number })),
    );
    expect(applied).toHaveLength(4);
  });

  test('gives up the lock of a lost machine after at most a minute', async () => {
    write(
      '0001-look.sql',
      "create table look as select name, setting from pg_settings where name ~ '^idle_.*session_timeout$'",
    );
    await run();
    expect(
      await database.db.query({ text: `select name, setting from ${schema}.look order by name` }),
    ).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '60000' },
      { name: 'idle_session_timeout', setting: '60000' },
    ]);
  });

  test('waits for a table in use without keeping its readers out for long', async () => {
    write('0001-busy.sql', 'create table busy (id integer);');
    await run();
    write('0002-alter.sql', 'alter table busy add column name text;');
    let migrated: Promise<void> | undefined;
    await database.transaction(async (tx) => {
      await tx.query({ text: `select id from ${schema}.busy` });
      migrated = run();
      await eventually(
        async () => (await database.db.query(sql`select 1 from pg_locks where not granted`)).length > 0,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await migrated;
    expect(await recorded()).toHaveLength(2);
  });

  describe('a file that ends in .concurrently.sql', () => {
    const index = 'create index concurrently notes_text on notes (text);';
    const state = () =>
      database.db.query({
        text: `select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass('${schema}.notes_text')`,
      });

    beforeEach(async () => {
      write('0001-notes.sql', "create table notes (text text); insert into notes values ('a'), ('b');");
      await run();
      write('0002-text.concurrently.sql', `-- Readers look for the text.\n${index}\n`);
    });

    test('creates its index while others write', async () => {
      let migrated: Promise<void> | undefined;
      await database.transaction(async (tx) => {
        await tx.execute({ text: `insert into ${schema}.notes values ('c')` });
        migrated = run();
        await eventually(async () => (await state()).length > 0);
        // It waits for this transaction, and blocks no writer in the meantime.
        await database.transaction((other) =>
          other.execute({ text: `insert into ${schema}.notes values ('d')` }),
        );
      });
      await migrated;
      expect(await state()).toEqual([{ valid: true }]);
      expect(await recorded()).toMatchObject([{ number: 1 }, { number: 2, name: 'text' }]);
    });

    test('is applied once when many start at the same time', async () => {
      write('0003-more.sql', 'alter table notes add column more text;');
      const applied: string[] = [];
      const log = {
        ...silentLog,
        info: (said: object) => void applied.push(...(said as { files: string[] }).files),
      };
      await Promise.all(Array.from({ length: 4 }, () => run(log)));
      expect(applied).toHaveLength(2);
      expect(await state()).toEqual([{ valid: true }]);
    });

    test('is repeated after a crash that left the index invalid, and only recorded after a crash that left it valid', async () => {
      let crashed: Promise<unknown> | undefined;
      await database.transaction(async (tx) => {
        await tx.execute({ text: `insert into ${schema}.notes values ('c')` });
        crashed = run().catch((error) => error);
        await eventually(async () => (await state()).length > 0);
        await database.db.query({
          text: `select pg_terminate_backend(pid) from pg_stat_activity where query like '-- Readers%'`,
        });
        expect(await crashed).toMatchObject({ kind: 'unavailable' });
      });
      expect(await state()).toEqual([{ valid: false }]);
      await run();
      expect(await state()).toEqual([{ valid: true }]);
      await database.transaction((tx) =>
        tx.execute({ text: `delete from ${schema}.migrations where number = 2` }),
      );
      await run();
      expect(await recorded()).toHaveLength(2);
    });

    test('contains exactly one such statement', async () => {
      for (const text of [
        'create index notes_text on notes (text);',
        `${index} drop table notes;`,
        'create index concurrently on notes (text);',
      ]) {
        write('0002-text.concurrently.sql', text);
        await expect(run()).rejects.toThrow('holds one statement: create index concurrently <name>');
      }
    });
  });

  test('records files shared by several services in a table of their own', async () => {
    write('0001-notes.sql', 'create table notes (id integer);');
    const common = join(folder, 'common');
    mkdirSync(common);
    writeFileSync(join(common, '0001-box.sql'), 'create table box (id integer);');
    const options = { url: own.url, schema, folder, clock: testClock(), log: silentLog };
    const shared = [{ name: 'box', folder: common }];
    await migrate({ ...options, shared });
    await migrate({ ...options, shared });
    expect(await recorded()).toMatchObject([{ name: 'notes' }]);
    expect(await database.db.query({ text: `select number, name from ${schema}.box_migrations` })).toEqual([
      { number: 1, name: 'box' },
    ]);
  });
});
