import { RecordsService } from '@hearth/proto/federation/v1/records';
import type { Host } from '@hearth/runtime';
import type { Context } from './context.ts';

/** Signed records, for the parties that they concern and for holders of a receipt. */
export async function startRecords(
  host: Host,
  { homes, keyRing }: Pick<Context, 'homes' | 'keyRing'>,
): Promise<void> {
  const { clock, config, database } = host;
  const context: Context = { home: config.home, clock, database, homes, keyRing };
  await host.serveRpcs(RecordsService, import.meta.url, context);
}
