import { day, hour } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import { sizeOf } from '@hearth/limits';
import { AuditService } from '@hearth/proto/delivery/v1/audit';
import type { Host } from '@hearth/runtime';
import { audiences } from '../events/module.ts';
import { onEvent } from './consumers/on-event.ts';
import { deleteAuditBefore } from './db/audit.ts';

const batch = 5_000;

/** The log of what operators did. */
export async function startAudit(host: Host): Promise<void> {
  const { clock, database, limits } = host;
  await host.serveRpcs(AuditService, import.meta.url, host);
  host.consume({ durable: 'audit', types: audiences.audit.types, handle: onEvent(host) });
  const kept = sizeOf(limits, 'audit_days') * day;
  host.every('purge-audit', hour, async () => {
    const before = new Date(clock.now() - kept);
    await inBatches(database, batch, (tx, size) => deleteAuditBefore(tx, before, size));
  });
}
