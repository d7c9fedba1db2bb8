import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@hearth/db';
import { copyTestDatabase, inMemoryFolder, oneAtATime, type TestDatabase } from '../postgres.ts';
import { nodeEnvironment, root } from './service-process.ts';

const run = promisify(execFile);

/** The variable in which globalSetup passes on the run's folder. */
export const runFolderVariable = 'HEARTH_TEST_FOLDER';

export const makeRunFolder = (): string => mkdtempSync(join(inMemoryFolder(), 'hearth-test-run-'));

/** Creates a database with the tables of a whole home. A run migrates one and copies it for each home. */
export const createHomeDatabase = (): Promise<TestDatabase> => copyTestDatabase('home', migrate);

/** Gives a home the Postgres of a first start, made once per test run. Outside a run, the home makes its own. */
export async function copyHomePostgres(dataFolder: string): Promise<void> {
  const runFolder = process.env[runFolderVariable];
  if (runFolder === undefined) return;
  const kept = join(runFolder, 'postgres');
  if (!existsSync(kept)) {
    await oneAtATime('home-postgres', async () => {
      if (existsSync(kept)) return;
      const folder = `${kept}.new`;
      rmSync(folder, { recursive: true, force: true });
      const postgres = await startEmbeddedPostgres({ folder });
      try {
        await migrate(postgres.url);
      } finally {
        await postgres.stop();
      }
      renameSync(folder, kept);
    });
  }
  // Node's own copy doesn't preserve owners, and Postgres doesn't run as root.
  await run('cp', ['-a', kept, join(dataFolder, 'postgres')]);
}

/** Migrates with `npm run migrate`; loading the files of all services into a test would take longer. */
async function migrate(databaseUrl: string): Promise<void> {
  const program = join(root, 'services', 'home', 'src', 'migrate.ts');
  await run(process.execPath, ['--no-warnings', program], {
    env: { ...nodeEnvironment(), DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' },
  });
}
