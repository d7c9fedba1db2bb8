import { fileURLToPath } from 'node:url';
import type { Clock } from '@hearth/clock';
import { migrate } from '@hearth/db';
import { outboxMigrations } from '@hearth/outbox';
import type { Logger } from '@hearth/telemetry';
import type { ServiceDefinition } from './service.ts';

export interface MigrateHomeOptions {
  url: string;
  clock: Clock;
  log: Logger;
}

/** Brings the schema `home` up to its SQL files: what every process of a home opens before it starts. */
export async function migrateShared(options: MigrateHomeOptions): Promise<void> {
  const folder = fileURLToPath(new URL('../migrations/', import.meta.url));
  await migrate({ ...options, schema: 'home', folder });
}

/** Brings the schema of each service up to its SQL files and those of its outbox. */
export async function migrateAll(
  services: readonly ServiceDefinition[],
  { url, clock, log }: MigrateHomeOptions,
): Promise<void> {
  const shared = [{ name: 'outbox', folder: fileURLToPath(outboxMigrations) }];
  for (const { name, migrations } of services) {
    if (migrations !== undefined)
      await migrate({ url, schema: name, folder: fileURLToPath(migrations), shared, clock, log });
  }
}
