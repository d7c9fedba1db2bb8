import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@hearth/clock';
import { silentLog, startEmbeddedPostgres } from '@hearth/db';
import { createIds, systemRandom } from '@hearth/ids';
import pg from 'pg';

/** Where jest's globalSetup leaves the URL of the server that all test files share. */
export const testPostgresVariable = 'HEARTH_TEST_POSTGRES';

export interface TestPostgres {
  url: string;
  stop(): Promise<void>;
}

export interface TestDatabase {
  url: string;
  /** Ends what is still connected and removes the database. */
  drop(): Promise<void>;
}

const prefix = 'hearth-test-postgres-';

/**
 * A Postgres for a whole run of tests, on data in memory where the machine has /dev/shm: the same programs
 * and the same promises as a home's own, without the disk. It ends with the process that started it.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const parent = inMemoryFolder();
  removeAbandoned(parent);
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  const server = await startEmbeddedPostgres({
    folder,
    log: silentLog,
    settings: { max_connections: '200' },
  });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A fresh, empty database on that server, for one test file; `serverUrl` is HEARTH_TEST_POSTGRES when not given. */
export async function createTestDatabase(
  serverUrl = process.env[testPostgresVariable],
): Promise<TestDatabase> {
  if (serverUrl === undefined) {
    throw new Error(
      `${testPostgresVariable} is not set: run the tests with the project's jest configuration`,
    );
  }
  const name = `test_${createIds(systemClock, systemRandom).uuid().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function inMemoryFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}

/** A run that was killed leaves its data behind, in memory of all places. */
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
