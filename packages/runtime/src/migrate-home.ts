import { fileURLToPath } from 'node:url';
import { type Clock, minute } from '@hearth/clock';
import { migrate } from '@hearth/db';
import { outboxMigrations } from '@hearth/outbox';
import type { Logger } from '@hearth/telemetry';
import type { ServiceDefinition } from './service.ts';

export interface MigrateHomeOptions {
  url: string;
  clock: Clock;
  log: Logger;
  /** Ends the wait for a database that is not up yet. */
  signal?: AbortSignal | undefined;
}

/** As long as a start waits for NATS. */
const waitMs = 2 * minute;

/** Migrates the schema `home`, which every process of a home opens before it starts. */
export async function migrateShared(options: MigrateHomeOptions): Promise<void> {
  const folder = fileURLToPath(new URL('../migrations/', import.meta.url));
  await migrate({ ...options, schema: 'home', folder, waitMs, checksServer: true });
}

/** Applies the SQL files of each service and of its outbox to its schema. */
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
