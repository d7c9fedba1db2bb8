import { fileURLToPath } from 'node:url';
import type { Clock } from '@hearth/clock';
import { migrate } from '@hearth/db';
import type { Logger } from '@hearth/telemetry';
import type { ServiceDefinition } from './service.ts';

/** Brings the schema of each service up to its SQL files. */
export async function migrateAll(
  services: readonly ServiceDefinition[],
  { url, clock, log }: { url: string; clock: Clock; log: Logger },
): Promise<void> {
  for (const { name, migrations } of services) {
    if (migrations !== undefined)
      await migrate({ url, schema: name, folder: fileURLToPath(migrations), clock, log });
  }
}
