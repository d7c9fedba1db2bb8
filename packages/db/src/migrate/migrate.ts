import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, nowDate } from '@hearth/clock';
import { HearthError, internal, isHearthError } from '@hearth/errors';
import pg from 'pg';
import { addressProblem, checkServer } from '../check-server.ts';
import { asDatabaseError, classify } from '../errors.ts';
import { withSessionSettings } from '../sessions.ts';
import type { Log } from '../types.ts';
import { type Migration, readMigrations } from './files.ts';
import { type Applied, pendingMigrations } from './plan.ts';

export interface MigrateOptions {
  /** The database; its user must be allowed to create the schema. */
  url: string;
  /** The service's schema, created if missing: lower-case letters, digits and `_`. */
  schema: string;
  /** The folder of the numbered SQL files: `0001-what-it-does.sql`. */
  folder: string;
  /** Files shared by several schemas, applied after the folder's own. */
  shared?: readonly SharedMigrations[];
  clock: Clock;
  log: Log;
  /** How long to wait for a database that does not accept connections yet, in ms; by default not at all. */
  waitMs?: number;
  /** Whether to check first that the home can work with this server; set for the first schema of a start. */
  checksServer?: boolean;
  /** Aborts that wait. */
  signal?: AbortSignal | undefined;
}

/** A package's files for the schemas in which it has tables; recorded in `<schema>.<name>_migrations`. */
export interface SharedMigrations {
  name: string;
  folder: string;
}

/** A folder of files, and the table that records them. */
interface Source {
  files: Migration[];
  /** With its schema. */
  table: string;
}

/** How long a migration waits for a table in use; short, because every other statement queues behind it. */
const lockTimeoutMs = 5_000;
const lockAttempts = 6;

/**
 * The delay between connection attempts, and the number of attempts after which the log repeats that the start is
 * waiting.
 */
const connectPauseMs = 500;
const tellEach = 20;

/** The delay between checks whether another process is done. */
const turnPauseMs = 100;

/**
 * Applies a folder's numbered SQL files to a schema, each in its own transaction, and records them in
 * `<schema>.migrations`. Any number of processes may call it concurrently: they take turns. SQL may name tables with or
 * without the schema. A file must not begin or end transactions itself; a file ending in `.concurrently.sql` creates an
 * index outside any transaction.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { schema, folder, shared = [], log } = options;
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(schema)) {
    throw internal(`the schema name ${schema} should be lower-case letters, digits and _`);
  }
  const sources: Source[] = [{ files: await readMigrations(folder), table: `${schema}.migrations` }];
  for (const { name, folder } of shared) {
    sources.push({ files: await readMigrations(folder), table: `${schema}.${name}_migrations` });
  }
  const client = await connectPatiently(options);
  const isDone = async () => {
    for (const source of sources) {
      const applied = await readApplied(client, source.table);
      if (pendingMigrations(schema, source.files, applied).length > 0) return false;
    }
    return true;
  };
  try {
    // Usually there is nothing to do, and no lock is taken.
    while (!(await isDone())) {
      if (!(await takeTurn(client, schema))) {
        await sleep(turnPauseMs);
        continue;
      }
      const files: string[] = [];
      for (const source of sources) {
        for (const migration of await prepare(client, options, source)) {
          await applyPatiently(client, options, source, migration);
          files.push(migration.file);
        }
      }
      if (files.length > 0) log.info({ schema, files }, 'migrations applied');
    }
  } catch (error) {
    throw asDatabaseError(error, `migration of ${schema}`);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Tries to take the turn, which lasts until the connection ends. Called repeatedly instead of waiting: an index created
 * concurrently waits for every statement that waits here.
 */
async function takeTurn(client: pg.Client, schema: string): Promise<boolean> {
  const key = "hashtextextended('hearth migrations of ' || $1, 0)";
  const { rows } = await client.query(`select pg_try_advisory_lock(${key}) as taken`, [schema]);
  return rows[0].taken;
}

/**
 * Only the first connection is awaited: later the database may come and go, but before it nothing of the home can be
 * created.
 */
async function connectPatiently(options: MigrateOptions): Promise<pg.Client> {
  const { url, clock, log, waitMs = 0, signal } = options;
  const began = clock.now();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await connect(options);
    } catch (error) {
      const isAway = isHearthError(error) && error.kind === 'unavailable';
      if (!isAway || clock.now() - began >= waitMs) throw error;
      const { host } = new URL(url);
      if (attempt % tellEach === 0)
        log.warn(
          { host, reason: (error.cause as Error | undefined)?.message },
          'waiting for Postgres: it takes no connections yet (DATABASE_URL)',
        );
      await sleep(connectPauseMs);
      signal?.throwIfAborted();
    }
  }
}

async function connect({ url, checksServer = false }: MigrateOptions): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: withSessionSettings(url),
    application_name: 'hearth-migrate',
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    if (checksServer) await checkServer(client);
  } catch (error) {
    await client.end().catch(() => {});
    const problem = addressProblem(error);
    throw problem === undefined ? asDatabaseError(error, 'connect') : internal(problem, error);
  }
  return client;
}

async function readApplied(client: pg.Client, table: string): Promise<Applied[]> {
  const found = await client.query('select to_regclass($1) is not null as known', [table]);
  if (!found.rows[0].known) return [];
  return (await client.query(`select number, name, sha256 from ${table} order by number`)).rows;
}

/** Creates the schema and the table of applied migrations; returns the pending migrations. */
async function prepare(client: pg.Client, { schema }: MigrateOptions, source: Source): Promise<Migration[]> {
  await client.query(`create schema if not exists ${schema}`);
  await client.query(`create table if not exists ${source.table} (
    number integer primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null
  )`);
  return pendingMigrations(schema, source.files, await readApplied(client, source.table));
}

async function applyPatiently(
  client: pg.Client,
  options: MigrateOptions,
  source: Source,
  migration: Migration,
): Promise<void> {
  const apply = migration.concurrentIndex === undefined ? applyInTransaction : makeIndex;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply(client, options, source, migration);
    } catch (error) {
      await client.query('rollback').catch(() => {});
      const failure = classify(error);
      const tableInUse = failure === 'stuck' || failure === 'conflict';
      if (!tableInUse || attempt === lockAttempts) throw error;
      options.log.warn({ schema: options.schema, attempt }, 'a migration waits for a table in use');
      await sleep(500 * attempt);
    }
  }
}

async function applyInTransaction(
  client: pg.Client,
  { schema, clock }: MigrateOptions,
  source: Source,
  migration: Migration,
): Promise<void> {
  await client.query('begin');
  await client.query(`set local search_path to ${schema}, public`);
  await client.query(`set local lock_timeout to ${lockTimeoutMs}`);
  await runFile(client, migration);
  await record(client, clock, source, migration);
  await client.query('commit');
}

/**
 * After a crash the index may be invalid, and is then rebuilt, or complete but not recorded. Neither case blocks
 * writers.
 */
async function makeIndex(
  client: pg.Client,
  { schema, clock }: MigrateOptions,
  source: Source,
  migration: Migration,
): Promise<void> {
  const index = `${schema}.${migration.concurrentIndex}`;
  const found = await client.query(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [index],
  );
  const valid: boolean | undefined = found.rows[0]?.valid;
  if (valid === false) await client.query(`drop index concurrently ${index}`);
  if (valid !== true) {
    await client.query(`set search_path to ${schema}, public`);
    try {
      await client.query(migration.text);
    } catch (error) {
      throw asMigrationError(migration, error);
    } finally {
      await client.query('reset search_path').catch(() => {});
    }
  }
  await record(client, clock, source, migration);
}

async function record(
  client: pg.Client,
  clock: Clock,
  { table }: Source,
  { number, name, sha256 }: Migration,
): Promise<void> {
  await client.query(`insert into ${table} (number, name, sha256, applied_at) values ($1, $2, $3, $4)`, [
    number,
    name,
    sha256,
    nowDate(clock),
  ]);
}

async function runFile(client: pg.Client, migration: Migration): Promise<void> {
  const transaction = 'select pg_current_xact_id()::text as id';
  const before = (await client.query(transaction)).rows[0].id;
  try {
    await client.query(migration.text);
  } catch (error) {
    throw asMigrationError(migration, error);
  }
  const after = (await client.query(transaction)).rows[0].id;
  if (before !== after) {
    throw internal(
      `the migration ${migration.file} begins or ends a transaction itself; take that out, it runs in one`,
    );
  }
}

/** Postgres reports a character offset in the file; people look for a line. */
function asMigrationError(migration: Migration, error: unknown): unknown {
  if (classify(error) !== 'statement') return error;
  const { message, position } = error as { message: string; position?: string };
  const line =
    position === undefined ? '' : `, line ${migration.text.slice(0, Number(position)).split('\n').length}`;
  return new HearthError('internal', `the migration ${migration.file}${line}: ${message}`, { cause: error });
}
