import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { type AdminDelivery, AdminDeliverySchema } from '@hearth/proto/delivery/v1/admin_deliveries';
import type { ShownSend } from '../../shared/db/shown-kind.ts';
import { printDestination } from './destination-id.ts';

/** Returns the operator's list entry for a send. */
export function showRow(row: ShownSend, isAi: (id: string) => boolean): AdminDelivery {
  const { id, kind, destination, type, at, status, attemptCount, lastError, dueAt } = row;
  return create(AdminDeliverySchema, {
    id: printId('evt', id),
    destination: printDestination({ kind, id: destination }, isAi),
    kind,
    type,
    at: timestampFromDate(at),
    status,
    attemptCount,
    ...(lastError !== null && { lastError }),
    ...(dueAt !== null && { nextAttemptAt: timestampFromDate(dueAt) }),
  });
}
