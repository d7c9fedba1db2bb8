import type { Clock } from '@hearth/clock';
import { type Environment, serviceNames } from '@hearth/config';
import { type Database, openDatabase, silentLog, sql } from '@hearth/db';
import { type Random, systemRandom } from '@hearth/ids';

export interface BackupDeps {
  env: Environment;
  /** The folders that may be the home's data folder, most likely first. */
  dataFolders: readonly string[];
  clock: Clock;
  random?: Random;
}

/** Every schema in which a home stores something. */
export const schemas: readonly string[] = [...serviceNames, 'home'];

/** Opens a database for `work`, and closes it. */
export async function withDatabase<T>(
  url: string,
  { clock, random = systemRandom }: Pick<BackupDeps, 'clock' | 'random'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ url, clock, random, log: silentLog, applicationName: 'hearth backup' });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The server's major version: 18. */
export async function serverMajor({ db }: Database): Promise<number> {
  const { version } = await db.one<{ version: number }>(
    sql`select current_setting('server_version_num')::int / 10000 as version`,
  );
  return version;
}

/** The existing schemas of a home. */
export async function schemasThere({ db }: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`select nspname as name from pg_namespace where nspname = any(${[...schemas]}) order by nspname`,
  );
  return rows.map(({ name }) => name);
}

/** The name of the database's home; null if no start ever completed. */
export async function homeName({ db }: Database): Promise<string | null> {
  return (await db.maybeOne<{ name: string }>(sql`select name from home.name`))?.name ?? null;
}
