import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type HomeConfig, readHomeConfig } from '@hearth/config';
import { type Database, lockFolder, raw, sql, startEmbeddedPostgres } from '@hearth/db';
import { internal } from '@hearth/errors';
import { systemRandom } from '@hearth/ids';
import { createSealer } from '@hearth/sealing';
import { type HomeSecrets, knownSealKeys } from '../data-folder.ts';
import { openDerivation } from '../open-sealer.ts';
import { type BackupDeps, homeName, schemasThere, serverMajor, withDatabase } from './own-database.ts';
import { findPgProgram } from './pg-program.ts';
import { runPg } from './run-pg.ts';

export interface Restored {
  /** The data folder, or null if DATABASE_URL names the database. */
  folder: string | null;
  home: string | null;
}

/** Postgres 15 is the oldest that a home works with. */
const oldestMajor = 15;

type SealKeys = Pick<HomeSecrets, 'sealKey' | 'otherSealKey'>;

/**
 * Restores a backup as the database of a home that has none. No home starts meanwhile, so other homes see nothing of
 * it, and a failed restore leaves nothing behind.
 *
 * @throws internal, worded for operators
 */
export async function restore(file: string, deps: BackupDeps): Promise<Restored> {
  const folder = dataFolderOf(deps.dataFolders);
  const config = readHomeConfig({ ...deps.env, HEARTH_DATA: folder });
  const keys = knownSealKeys(config);
  if (keys === undefined)
    throw internal(
      `there is no seal key, and the backup can't be opened without it: put your copy of seal.key into ${folder}, or give HEARTH_SEAL_KEY`,
    );
  await checkFile(file, deps);
  return config.databaseUrl === undefined
    ? await intoFolder(file, config, keys, deps)
    : { folder: null, home: await intoDatabase(file, config.databaseUrl.reveal(), keys, deps) };
}

function dataFolderOf(folders: readonly string[]): string {
  const there = folders.filter((folder) => existsSync(folder));
  return there.find((folder) => existsSync(join(folder, 'seal.key'))) ?? there[0] ?? folders[0]!;
}

async function checkFile(file: string, { env }: BackupDeps): Promise<void> {
  if (!existsSync(file)) throw internal(`${file} cannot be read: there is no such file`);
  const listed = await runPg(findPgProgram('pg_restore', oldestMajor, env['PATH'] ?? ''), ['--list', file]);
  if (!/ SCHEMA - home /.test(listed)) throw internal(`${file} is no backup of a home`);
}

/** Restored next to it and renamed once complete, so that no start finds half a database. */
async function intoFolder(
  file: string,
  { dataFolder }: HomeConfig,
  keys: SealKeys,
  deps: BackupDeps,
): Promise<Restored> {
  const lock = lockFolder(dataFolder);
  const whole = join(dataFolder, 'postgres');
  const part = `${whole}.new`;
  try {
    if (existsSync(whole))
      throw internal(
        `${whole} holds a database already. To take the place of it, move it away first: mv ${whole} ${whole}.before`,
      );
    rmSync(part, { recursive: true, force: true });
    const postgres = await startEmbeddedPostgres({
      folder: part,
      ...(deps.random && { random: deps.random }),
    });
    let home: string | null;
    try {
      home = await intoDatabase(file, postgres.url, keys, deps);
    } finally {
      await postgres.stop();
    }
    renameSync(part, whole);
    return { folder: dataFolder, home };
  } finally {
    rmSync(part, { recursive: true, force: true });
    lock.release();
  }
}

async function intoDatabase(
  file: string,
  url: string,
  keys: SealKeys,
  deps: BackupDeps,
): Promise<string | null> {
  return await withDatabase(url, deps, async (database) => {
    const there = await schemasThere(database);
    if (there.length > 0)
      throw internal(
        `the database holds a home already (the schemas ${there.join(', ')}): stop it and give an empty database in DATABASE_URL`,
      );
    const program = findPgProgram('pg_restore', await serverMajor(database), deps.env['PATH'] ?? '');
    const whole = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges'];
    await runPg(program, [...whole, file], url);
    try {
      await checkSealKey(database, keys);
    } catch (error) {
      await removeAll(database);
      throw error;
    }
    return await homeName(database);
  });
}

async function checkSealKey({ db }: Database, { sealKey, otherSealKey }: SealKeys): Promise<void> {
  const row = await db.maybeOne<{ sealed: Buffer | null }>(
    sql`select sealed from home.secrets where name = 'derivation'`,
  );
  if (row?.sealed != null)
    openDerivation(createSealer(sealKey, systemRandom, { other: otherSealKey }), row.sealed);
}

async function removeAll(database: Database): Promise<void> {
  const there = await schemasThere(database);
  await database.transaction((tx) => tx.execute(sql`drop schema ${raw(there.join(', '))} cascade`));
}
