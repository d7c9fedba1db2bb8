import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@hearth/clock';
import { silentLog, startEmbeddedPostgres } from '@hearth/db';
import { createIds, systemRandom } from '@hearth/ids';
import pg from 'pg';

/** The variable in which jest's globalSetup passes on the URL of the shared test server. */
export const testPostgresVariable = 'HEARTH_TEST_POSTGRES';

export interface TestPostgres {
  url: string;
  stop(): Promise<void>;
}

export interface TestDatabase {
  url: string;
  /** Ends open connections and removes the database. */
  drop(): Promise<void>;
}

const prefix = 'hearth-test-postgres-';

/**
 * Starts a Postgres for a whole test run, with its data in memory if the machine has /dev/shm: the same programs and
 * guarantees as a home's own, without the disk. It ends with its parent process.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const parent = inMemoryFolder();
  removeAbandoned(parent);
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  const server = await startEmbeddedPostgres({
    folder,
    log: silentLog,
    settings: { max_connections: '400' },
  });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates an empty database on that server, for one test file. Default `serverUrl`: HEARTH_TEST_POSTGRES. */
export async function createTestDatabase(serverUrl = sharedServer()): Promise<TestDatabase> {
  return onServer(serverUrl, (client) => createDatabase(client, serverUrl));
}

/** Returns a copy of the named database, which `prepare` fills on first use. Other workers wait meanwhile. */
export async function copyTestDatabase(
  name: string,
  prepare: (url: string) => Promise<void>,
  serverUrl = sharedServer(),
): Promise<TestDatabase> {
  return onServer(serverUrl, async (client) => {
    const isThere = async () =>
      (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1;
    if (!(await isThere())) {
      await lock(client, name);
      if (!(await isThere())) {
        const first = await createDatabase(client, serverUrl);
        await prepare(first.url);
        await client.query(`alter database ${new URL(first.url).pathname.slice(1)} rename to ${name}`);
      }
      await client.query('select pg_advisory_unlock_all()');
    }
    return createDatabase(client, serverUrl, name);
  });
}

/** Runs this work while no other process of the run does work of this name. */
export function oneAtATime<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
  return onServer(sharedServer(), async (client) => {
    await lock(client, name);
    return work();
  });
}

/** Holds until it is unlocked, or the connection ends. */
const lock = (client: pg.Client, name: string) =>
  client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);

function sharedServer(): string {
  const url = process.env[testPostgresVariable];
  if (url !== undefined) return url;
  throw new Error(`${testPostgresVariable} is not set: run the tests with the project's jest configuration`);
}

async function createDatabase(
  client: pg.Client,
  serverUrl: string,
  template = 'template1',
): Promise<TestDatabase> {
  const name = `test_${createIds(systemClock, systemRandom).uuid().replaceAll('-', '')}`;
  // In memory, copying files is faster than writing their pages to the log.
  await client.query(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () =>
      onServer(serverUrl, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

async function onServer<Answer>(
  serverUrl: string,
  work: (client: pg.Client) => Promise<Answer>,
): Promise<Answer> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The folder for test data that need not survive a reboot: /dev/shm where it exists. */
export function inMemoryFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}

/** A killed run leaves its data behind, in memory. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : undefined);
    if (!Number.isInteger(pid) || isRunning(pid)) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
