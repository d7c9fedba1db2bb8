import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type IdPrefix, printId } from '@hearth/ids';
import { type AdminDelivery, AdminDeliverySchema } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { AdminDeliveryRow, DeliveryKind } from '../db/deliveries.ts';

const prefixes: Readonly<Record<DeliveryKind, IdPrefix>> = { app: 'app', subscription: 'sub', mail: 'per' };

/** As the operator sees it in a list. */
export function showRow(row: AdminDeliveryRow): AdminDelivery {
  return create(AdminDeliverySchema, {
    id: printId('evt', row.id),
    destination: printId(prefixes[row.kind], row.destination),
    kind: row.kind,
    type: row.type,
    at: timestampFromDate(row.at),
    status: row.status,
    attemptCount: row.attemptCount,
    ...(row.lastError !== null && { lastError: row.lastError }),
    ...(row.dueAt !== null && { nextAttemptAt: timestampFromDate(row.dueAt) }),
  });
}
