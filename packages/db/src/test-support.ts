import { manualClock, systemClock } from '@hearth/clock';
import { createTestDatabase, startTestPostgres, type TestDatabase } from '@hearth/testkit/postgres';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';

/** A database for one test file, on the run's server, or on a server of its own if the run has none. */
export interface OwnDatabase {
  url: string;
  open(options?: Partial<DatabaseOptions>): Database;
  /** Closes what was opened, and drops the database. */
  remove(): Promise<void>;
}

export async function ownDatabase(): Promise<OwnDatabase> {
  const server = process.env.HEARTH_TEST_POSTGRES === undefined ? await startTestPostgres() : null;
  const database: TestDatabase = await createTestDatabase(server?.url);
  const opened: Database[] = [];
  return {
    url: database.url,
    open(options = {}) {
      const connected = openDatabase({ url: database.url, clock: systemClock, ...options });
      opened.push(connected);
      return connected;
    },
    async remove() {
      await Promise.all(opened.map((connected) => connected.close()));
      await database.drop();
      await server?.stop();
    },
  };
}

export const testClock = () => manualClock('2030-01-01T00:00:00Z');
