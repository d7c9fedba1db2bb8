import { create, type JsonObject } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import {
  type Delivery,
  type DeliveryAttempt,
  DeliveryAttemptSchema,
  DeliverySchema,
} from '@hearth/proto/delivery/v1/app_deliveries';
import type { AppDeliveryRow, WholeAppDeliveryRow } from '../db/app-deliveries.ts';

export function showDelivery(row: AppDeliveryRow): Delivery {
  return create(DeliverySchema, {
    id: printId('evt', row.id),
    type: row.type,
    at: timestampFromDate(row.shownAt),
    status: row.status,
    attemptCount: row.attemptCount,
    ...(row.dueAt !== null && { nextAttemptAt: timestampFromDate(row.dueAt) }),
  });
}

export function showWhole(row: WholeAppDeliveryRow): Delivery {
  return {
    ...showDelivery(row),
    attempts: row.attempts.map(showAttempt),
    body: JSON.parse(row.body) as JsonObject,
  };
}

function showAttempt({
  at,
  status,
  ms,
  error,
  dropped = [],
}: WholeAppDeliveryRow['attempts'][number]): DeliveryAttempt {
  return create(DeliveryAttemptSchema, {
    at: timestampFromMs(Date.parse(at)),
    ms,
    dropped,
    ...(status !== null && { status }),
    ...(error !== null && { error }),
  });
}
