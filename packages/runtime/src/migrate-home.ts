import { fileURLToPath } from 'node:url';
import type { Clock } from '@hearth/clock';
import { migrate } from '@hearth/db';
import { outboxMigrations } from '@hearth/outbox';
import type { Logger } from '@hearth/telemetry';
import type { ServiceDefinition } from './service.ts';

/** Brings the schema of each service up to its SQL files and those of its outbox. */
export async function migrateAll(
  services: readonly ServiceDefinition[],
  { url, clock, log }: { url: string; clock: Clock; log: Logger },
): Promise<void> {
  const shared = [{ name: 'outbox', folder: fileURLToPath(outboxMigrations) }];
  for (const { name, migrations } of services) {
    if (migrations !== undefined)
      await migrate({ url, schema: name, folder: fileURLToPath(migrations), shared, clock, log });
  }
}
