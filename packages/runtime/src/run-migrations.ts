import { systemClock } from '@hearth/clock';
import { readHomeConfig } from '@hearth/config';
import { createLogger } from '@hearth/telemetry';
import { explain } from './explain.ts';
import { migrateAll, migrateShared } from './migrate-home.ts';
import type { ServiceDefinition } from './service.ts';

/** `npm run migrate`: prepares the database in DATABASE_URL before services of a new version start. */
export async function runMigrations(services: readonly ServiceDefinition[]): Promise<void> {
  try {
    // biome-ignore lint/plugin: the entry point of a command; from here on the environment is an argument.
    const config = readHomeConfig(process.env);
    if (config.databaseUrl === undefined) {
      process.stdout.write(
        'DATABASE_URL is not given: a home with its own Postgres migrates it at its start\n',
      );
      return;
    }
    const log = createLogger({ level: config.logLevel, service: 'migrate' });
    const options = { url: config.databaseUrl.reveal(), clock: systemClock, log };
    await migrateShared(options);
    await migrateAll(services, options);
    process.stdout.write('migrated\n');
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}
