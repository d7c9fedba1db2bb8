import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HomeConfig, readHomeConfig } from '@hearth/config';
import { findRunningPostgres, startEmbeddedPostgres } from '@hearth/db';
import { internal } from '@hearth/errors';
import {
  type BackupDeps,
  homeName,
  schemas,
  schemasThere,
  serverMajor,
  withDatabase,
} from './own-database.ts';
import { findPgProgram } from './pg-program.ts';
import { runPg } from './run-pg.ts';

export interface Backup {
  file: string;
  bytes: number;
  /** The home's name; null if no start ever completed. */
  home: string | null;
}

/**
 * Writes a consistent snapshot of a home's database to a file, whether or not the home is running. The file appears
 * once complete, and no other user can read it.
 *
 * @throws internal, worded for operators
 */
export async function backUp(file: string, deps: BackupDeps): Promise<Backup> {
  if (existsSync(file)) throw internal(`${file} is there already; give another name, or move it away`);
  const { url, end } = await openSource(deps);
  const part = `${file}.part`;
  try {
    return await withDatabase(url, deps, async (database) => {
      if (!(await schemasThere(database)).includes('home'))
        throw internal('this database holds no home: there is nothing to back up');
      const program = findPgProgram('pg_dump', await serverMajor(database), deps.env['PATH'] ?? '');
      // Created before pg_dump writes to it, so that no one else can ever read it.
      rmSync(part, { force: true });
      writeFileSync(part, '', { mode: 0o600, flag: 'wx' });
      const wanted = schemas.map((schema) => `--schema=${schema}`);
      // Without statistics, a restored home uses bad plans until it has gathered its own.
      const statistics = program.major >= 18 ? ['--statistics'] : [];
      await runPg(
        program,
        ['--format=custom', '--strict-names', `--file=${part}`, ...statistics, ...wanted],
        url,
      );
      renameSync(part, file);
      return { file, bytes: statSync(file).size, home: await homeName(database) };
    });
  } finally {
    rmSync(part, { force: true });
    await end();
  }
}

/** Opens the database named by DATABASE_URL, the running home's, or the home's own Postgres, started for this. */
async function openSource({ env, dataFolders, random }: BackupDeps) {
  const config: HomeConfig = readHomeConfig(env);
  const end = async () => {};
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl.reveal(), end };
  const folder = dataFolders.map((data) => join(data, 'postgres')).find((path) => existsSync(path));
  if (folder === undefined)
    throw internal(
      `there is no home in ${dataFolders.join(' or ')}; name its data folder in HEARTH_DATA, or its database in DATABASE_URL`,
    );
  const running = findRunningPostgres(folder);
  if (running !== null) return { url: running, end };
  const postgres = await startEmbeddedPostgres({ folder, ...(random && { random }) });
  return { url: postgres.url, end: () => postgres.stop() };
}
