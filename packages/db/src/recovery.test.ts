import { createServer, type Socket } from 'node:net';
import { systemClock } from '@hearth/clock';
import { eventually } from '@hearth/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/start.ts';
import { remove, temporaryFolder } from './embedded/test-support.ts';
import { sql } from './sql.ts';
import type { Db } from './types.ts';

let folder: string;
let server: EmbeddedPostgres;
let database: Database;
const opened: Database[] = [];

function open(options: Partial<DatabaseOptions> = {}): Database {
  const connected = openDatabase({ url: server.url, clock: systemClock, ...options });
  opened.push(connected);
  return connected;
}

const unreachable = { kind: 'unavailable', message: expect.stringContaining('cannot be reached') };
const answers = async (database: Database) =>
  await database.check().then(
    () => true,
    () => false,
  );
const busyAll = (one: Database, count: number) =>
  Promise.all(Array.from({ length: count }, () => one.db.query(sql`select pg_sleep(0.01)`)));

beforeAll(async () => {
  folder = temporaryFolder();
  server = await startEmbeddedPostgres({
    folder,
    settings: { max_connections: '20', superuser_reserved_connections: '3' },
  });
});

beforeEach(() => {
  database = open();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((connected) => connected.close()));
});

afterAll(async () => {
  await server.stop();
  remove(folder);
});

describe('connections that Postgres ends', () => {
  test('while idle are replaced without an error', async () => {
    await busyAll(database, 5);
    const other = open({ maxConnections: 1 });
    await other.statement((tx) =>
      tx.execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`,
      ),
    );
    await eventually(() => database.connections().total === 0);
    await database.check();
  });

  test('include every session that was idle for a minute', async () => {
    expect(await database.db.one(sql`show idle_session_timeout`)).toEqual({ idle_session_timeout: '1min' });
  });

  test('find a row among a thousand by its index', async () => {
    await database.transaction(async (tx) => {
      await tx.execute(sql`
        create table many as select n as id, repeat('x', 20) as text from generate_series(1, 1000) n`);
      await tx.execute(sql`create index on many (id)`);
      await tx.execute(sql`analyze many`);
    });
    const ids = Array.from({ length: 10 }, (_, at) => at * 90 + 1);
    const plan = await database.db.query(sql`
      explain select text from unnest(${ids}::int[]) g (id) join many on many.id = g.id`);
    expect(JSON.stringify(plan)).toContain('many_id_idx');
  });

  test('in the middle of a transaction make it unavailable, and the next one succeeds', async () => {
    const work = database.transaction(async (tx) => {
      const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await database.statement((other) => other.execute(sql`select pg_terminate_backend(${pid})`));
      await new Promise((resolve) => setTimeout(resolve, 50));
      await tx.query(sql`select 1`);
    });
    await expect(work).rejects.toMatchObject(unreachable);
    expect(await database.transaction((tx) => tx.one(sql`select 1 as a`))).toEqual({ a: 1 });
  });

  test('in the middle of a statement make it unavailable', async () => {
    const long = database.db.query({ text: 'select pg_sleep(20) /* victim */' });
    const caught = expect(long).rejects.toMatchObject(unreachable);
    await eventually(async () => {
      const ended = await database.statement((tx) =>
        tx.query(
          sql`select pg_terminate_backend(pid) from pg_stat_activity where query like '%/* victim */' and pid <> pg_backend_pid()`,
        ),
      );
      return ended.length > 0;
    });
    await caught;
    await database.check();
  });

  test('after a transaction was idle for too long make it unavailable', async () => {
    const impatient = open({ statementTimeoutMs: 200 });
    const work = impatient.transaction(async (tx) => {
      await tx.query(sql`select 1`);
      await new Promise((resolve) => setTimeout(resolve, 500));
      await tx.query(sql`select 1`);
    });
    await expect(work).rejects.toMatchObject({ kind: 'unavailable' });
    await impatient.check();
  });
});

describe('a server that goes away', () => {
  test('makes every call unavailable until it is back', async () => {
    await busyAll(database, 5);
    const before = server.pid;
    process.kill(before, 'SIGKILL');
    const outcomes: string[] = [];
    let back = false;
    // Without a pause: the server may be back within one.
    const asking = (async () => {
      while (!back) {
        const outcome = await database.db.one<{ a: number }>(sql`select 1 as a`).then(
          () => 'answer',
          (error) => error.kind as string,
        );
        outcomes.push(outcome);
      }
    })();
    await eventually(
      () => outcomes.includes('unavailable') && outcomes.at(-1) === 'answer' && server.pid !== before,
    );
    back = true;
    await asking;
    expect(new Set(outcomes)).toEqual(new Set(['unavailable', 'answer']));
    await busyAll(database, 10);
  });

  test('fails statements in flight at once', async () => {
    const long = database.statement((tx) => tx.execute(sql`select pg_sleep(20)`));
    const caught = expect(long).rejects.toMatchObject(unreachable);
    await eventually(async () => database.connections().total > database.connections().idle);
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.kill(server.pid, 'SIGKILL');
    await caught;
    await eventually(() => answers(database));
  });
});

describe('bounds', () => {
  test('a statement past its time limit is cancelled, and its connection stays open', async () => {
    const impatient = open({ statementTimeoutMs: 100, maxConnections: 1 });
    const pid = await impatient.db.one(sql`select pg_backend_pid() as pid`);
    await expect(impatient.db.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('too long'),
    });
    expect(await impatient.db.one(sql`select pg_backend_pid() as pid`)).toEqual(pid);
  });

  test('a silent connection is abandoned, also within a transaction', async () => {
    const impatient = open({ statementTimeoutMs: 100, maxConnections: 2 });
    const stopped: number[] = [];
    const goSilent = async (db: Db) => {
      const { pid } = await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      stopped.push(pid);
      process.kill(pid, 'SIGSTOP');
      await db.query(sql`select 1`);
    };
    const silences = [
      impatient.statement((tx) => tx.query(sql`select 1`)).then(() => goSilent(impatient.db)),
    ];
    silences.push(impatient.transaction(goSilent));
    for (const silence of silences) await expect(silence).rejects.toMatchObject(unreachable);
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    await impatient.check();
    expect(impatient.connections().total).toBe(1);
  });

  test('the wait for a connection is limited', async () => {
    const small = open({ maxConnections: 1, connectTimeoutMs: 100 });
    const holding = small.db.query(sql`select pg_sleep(0.5)`);
    await expect(small.db.query(sql`select 1`)).rejects.toMatchObject({ kind: 'unavailable' });
    await holding;
    await small.check();
  });

  test('the queue for connections is limited', async () => {
    const small = open({ maxConnections: 1, maxWaiting: 2 });
    await small.check();
    const holding = [1, 2, 3].map(() => small.db.query(sql`select pg_sleep(0.1)`));
    await expect(small.db.query(sql`select 1`)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('more to do'),
    });
    await Promise.all(holding);
  });

  test("connections beyond Postgres's maximum are unavailable, and existing ones keep working", async () => {
    const greedy = open({ maxConnections: 30, connectTimeoutMs: 2_000 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => greedy.db.query(sql`select pg_sleep(0.5)`)),
    );
    const failures = outcomes
      .filter((outcome) => outcome.status === 'rejected')
      .map((outcome) => outcome.reason.kind);
    expect(failures.length).toBeGreaterThan(0);
    expect(new Set(failures)).toEqual(new Set(['unavailable']));
    await greedy.check();
  });
});

describe('an address', () => {
  test('without a listener is unavailable', async () => {
    const nowhere = open({ url: 'postgres://hearth:x@127.0.0.1:1/postgres' });
    await expect(nowhere.check()).rejects.toMatchObject(unreachable);
    await expect(nowhere.transaction(async (tx) => tx.query(sql`select 1`))).rejects.toMatchObject(
      unreachable,
    );
  });

  test('that does not exist is unavailable', async () => {
    await expect(open({ url: 'postgres://hearth:x@nobody.invalid/postgres' }).check()).rejects.toMatchObject(
      unreachable,
    );
  });

  test('that accepts the connection and never answers is unavailable within the deadline', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const mute = open({ url: `postgres://hearth:x@127.0.0.1:${port}/postgres`, connectTimeoutMs: 200 });
    await expect(mute.check()).rejects.toMatchObject(unreachable);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test('with a wrong password or database names the setting to check, without the password', async () => {
    const wrong = server.url.replace(/:[^:@/]*@/, ':wrongsecret@');
    const error = (await open({ url: wrong })
      .check()
      .catch((thrown) => thrown)) as Error;
    expect(error).toMatchObject({ kind: 'internal', message: expect.stringContaining('DATABASE_URL') });
    expect(error.message).not.toContain('wrongsecret');
    const missing = server.url.replace('/postgres?', '/missing?');
    await expect(open({ url: missing }).check()).rejects.toMatchObject({
      message: expect.stringContaining('DATABASE_URL'),
    });
  });

  test.each(['', 'localhost:5432', 'http://localhost/', 'postgres://'])(
    'like "%s" is refused with the form it should have',
    (url) => {
      expect(() => open({ url })).toThrow('postgres://user:password@host:5432/name');
    },
  );
});

describe('closing', () => {
  test('waits for running work and refuses new work', async () => {
    const inHand = database.transaction(async (tx) => tx.one(sql`select 1 as a, pg_sleep(0.2)`));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = database.close();
    await expect(database.check()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await inHand).toMatchObject({ a: 1 });
    await closed;
    await database.close();
  });
});
