import { day } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { AuditService } from '@hearth/proto/delivery/v1/audit';
import type { Host } from '@hearth/runtime';
import { audiences } from '../events/module.ts';
import { onEvent } from './consumers/on-event.ts';
import { deleteAuditBefore } from './db/audit.ts';

/** The audit log of operator acts. */
export async function startAudit(host: Host): Promise<void> {
  await host.serveRpcs(AuditService, import.meta.url, host);
  host.consume({ durable: 'audit', types: audiences.audit.types, handle: onEvent(host) });
  host.purge('purge-audit', [sizeOf(host.limits, 'audit_days') * day, deleteAuditBefore]);
}
