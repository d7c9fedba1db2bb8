import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, nowDate } from '@hearth/clock';
import { HearthError, internal } from '@hearth/errors';
import pg from 'pg';
import { checkedUrl } from '../connections.ts';
import { asDatabaseError, classify } from '../errors.ts';
import type { Log } from '../types.ts';
import { type Migration, readMigrations } from './files.ts';
import { type Applied, pendingMigrations } from './plan.ts';

export interface MigrateOptions {
  /** The database; its user must be allowed to create the schema. */
  url: string;
  /** The service's schema, made when it is missing: lower-case letters, digits and `_`. */
  schema: string;
  /** Where the numbered SQL files are: `0001-what-it-does.sql`. */
  folder: string;
  clock: Clock;
  log: Log;
}

/** How long a migration waits for a table that is in use; everyone else waits behind it, so it is short. */
const lockTimeoutMs = 5_000;
const lockAttempts = 6;

/**
 * Brings a schema up to the numbered SQL files of a folder, each in a transaction of its own, and records
 * them in `<schema>.migrations`. Any number of processes may call it at once: they take turns. SQL may
 * name tables plainly or with the schema. A file must not begin or end transactions itself.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { schema, folder, log } = options;
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(schema)) {
    throw internal(`the schema name ${schema} should be lower-case letters, digits and _`);
  }
  const files = await readMigrations(folder);
  const client = await connect(options.url);
  try {
    // The usual start finds nothing to do and takes no lock.
    if (pendingMigrations(schema, files, await readApplied(client, schema)).length === 0) return;
    let applied = await applyNext(client, options, files);
    while (applied !== null) {
      log.info({ schema, file: applied.file }, 'migration applied');
      applied = await applyNext(client, options, files);
    }
  } catch (error) {
    throw asDatabaseError(error, `migration of ${schema}`);
  } finally {
    await client.end().catch(() => {});
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: checkedUrl(url),
    application_name: 'hearth-migrate',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw asDatabaseError(error, 'connect');
  }
  return client;
}

async function readApplied(client: pg.Client, schema: string): Promise<Applied[]> {
  const table = await client.query('select to_regclass($1) is not null as known', [`${schema}.migrations`]);
  if (!table.rows[0].known) return [];
  return (await client.query(`select number, name, sha256 from ${schema}.migrations order by number`)).rows;
}

/** Applies the first pending migration; null when another process has applied all of them meanwhile. */
async function applyNext(
  client: pg.Client,
  options: MigrateOptions,
  files: Migration[],
): Promise<Migration | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyNextOnce(client, options, files);
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

async function applyNextOnce(
  client: pg.Client,
  { schema, clock }: MigrateOptions,
  files: Migration[],
): Promise<Migration | null> {
  await client.query('begin');
  await client.query("select pg_advisory_xact_lock(hashtextextended('hearth migrations of ' || $1, 0))", [
    schema,
  ]);
  await client.query(`create schema if not exists ${schema}`);
  await client.query(`create table if not exists ${schema}.migrations (
    number integer primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz not null
  )`);
  const [migration] = pendingMigrations(schema, files, await readApplied(client, schema));
  if (migration !== undefined) {
    await client.query(`set local search_path to ${schema}, public`);
    await client.query(`set local lock_timeout to ${lockTimeoutMs}`);
    await runFile(client, migration);
    await client.query(
      `insert into ${schema}.migrations (number, name, sha256, applied_at) values ($1, $2, $3, $4)`,
      [migration.number, migration.name, migration.sha256, nowDate(clock)],
    );
  }
  await client.query('commit');
  return migration ?? null;
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

/** Postgres counts characters from the beginning of the file; people look for a line. */
function asMigrationError(migration: Migration, error: unknown): unknown {
  if (classify(error) !== 'statement') return error;
  const { message, position } = error as { message: string; position?: string };
  const line =
    position === undefined ? '' : `, line ${migration.text.slice(0, Number(position)).split('\n').length}`;
  return new HearthError('internal', `the migration ${migration.file}${line}: ${message}`, { cause: error });
}
