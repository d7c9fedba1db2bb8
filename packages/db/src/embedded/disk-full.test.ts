import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@hearth/clock';
import { eventually } from '@hearth/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, openDatabase } from '../database.ts';
import { sql } from '../sql.ts';
import { silentLog } from '../types.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
import { isRoot, remove, temporaryFolder } from './test-support.ts';

let disk: string;
let server: EmbeddedPostgres;
let database: Database;
let said: string[];

function mayMount(): boolean {
  if (!isRoot || process.platform !== 'linux') return false;
  const place = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', place], { stdio: 'ignore' });
    execFileSync('umount', [place]);
    return true;
  } catch {
    return false;
  } finally {
    remove(place);
  }
}

/** Needs a small disk of its own, which only root may mount. */
const onSmallDisk = mayMount() ? describe : describe.skip;

function fillDisk(): void {
  const file = openSync(join(disk, 'filler'), 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(65_536));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  } finally {
    closeSync(file);
  }
}

const freeDisk = () => rmSync(join(disk, 'filler'));
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'stored',
    (error) => `${error.kind}: ${error.message}`,
  );
const addNote = () => database.statement((tx) => tx.execute(sql`insert into notes (body) values ('small')`));

onSmallDisk('a full disk', () => {
  beforeEach(async () => {
    disk = temporaryFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', disk]);
    said = [];
    const log = {
      ...silentLog,
      error: (fields: object, message: string) => void said.push(`${message} ${JSON.stringify(fields)}`),
    };
    server = await startEmbeddedPostgres({ folder: join(disk, 'postgres'), log });
    database = openDatabase({ url: server.url, clock: systemClock });
    await database.statement((tx) => tx.execute(sql`create table notes (body text)`));
    await addNote();
  });

  afterEach(async () => {
    await database.close();
    await server.stop();
    execFileSync('umount', [disk]);
    remove(disk);
  });

  test('makes writes unavailable with the reason, keeps reads working, and recovers when space is freed', async () => {
    fillDisk();
    const pid = server.pid;
    const big = sql`insert into notes (body) select string_agg(md5(random()::text), '') from generate_series(1, 100000)`;
    const results: string[] = [];
    for (let round = 0; round < 5; round += 1)
      results.push(await outcome(database.statement((tx) => tx.execute(big))));
    expect(results.at(-1)).toMatch(/^unavailable: the home's disk is full/);
    expect(await outcome(database.transaction((tx) => tx.execute(big)))).toMatch(
      /^unavailable: the home's disk is full/,
    );
    expect(await database.db.query(sql`select body from notes where body = 'small'`)).toHaveLength(1);
    freeDisk();
    await addNote();
    expect(server.pid).toBe(pid);
  });

  test('without room for the write-ahead log stops Postgres, which restarts with all data when space is freed', async () => {
    fillDisk();
    const before = server.pid;
    const logBytes = sql`select pg_logical_emit_message(false, 'test', ${'x'.repeat(900_000)})`;
    const results = new Set<string>();
    await eventually(async () => {
      results.add(await outcome(database.statement((tx) => tx.execute(logBytes))));
      return said.some((line) => line.includes('the disk is full'));
    });
    expect(
      [...results].filter((result) => result !== 'stored' && !result.startsWith('unavailable: ')),
    ).toEqual([]);
    freeDisk();
    await eventually(() =>
      addNote().then(
        () => true,
        () => false,
      ),
    );
    expect(server.pid).not.toBe(before);
    expect(await database.db.one(sql`select count(*) from notes`)).toEqual({ count: 2 });
  });
});
