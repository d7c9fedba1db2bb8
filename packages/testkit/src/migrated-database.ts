import { createHash } from 'node:crypto';
import { systemClock } from '@hearth/clock';
import type { ServiceDefinition } from '@hearth/runtime';
import { migrateAll, migrateShared } from '@hearth/runtime/migrate-home';
import { createLogger } from '@hearth/telemetry';
import { copyTestDatabase, type TestDatabase } from './postgres.ts';

/**
 * Returns a database with the tables of these services. A run applies migrations once, because they take most of a
 * start.
 */
export function createMigratedDatabase(services: readonly ServiceDefinition[]): Promise<TestDatabase> {
  const folders = services.flatMap(({ migrations }) => migrations?.href ?? []);
  const name = `migrated_${createHash('sha256').update(folders.join('\n')).digest('hex').slice(0, 16)}`;
  return copyTestDatabase(name, async (url) => {
    const options = { url, clock: systemClock, log: createLogger({ level: 'error', service: 'test' }) };
    await migrateShared(options);
    await migrateAll(services, options);
  });
}
