import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { SubscriptionSchema } from '@hearth/proto/delivery/v1/subscriptions';
import { publicError } from '../../shared/domain/public-error.ts';
import type { ListedSubscription } from '../db/subscriptions.ts';
import { printCursor } from './cursor.ts';
import type { SubscriptionState } from './subscription-state.ts';

/**
 * Returns a subscription as its AI sees it.
 *
 * @param health of the deliveries; before the renewal, if a renewal just changed it
 */
export function showSubscription(
  row: ListedSubscription,
  { now, truncated = false, health = row }: { now: Date; truncated?: boolean; health?: SubscriptionState },
): MessageInitShape<typeof SubscriptionSchema> {
  const { openNumber, openAt, lastNumber } = row;
  const place =
    openNumber === null ? { number: lastNumber, at: now } : { number: openNumber - 1, at: openAt! };
  return {
    id: printId('sub', row.id),
    refreshBefore: timestampFromDate(row.refreshBefore),
    cursor: printCursor(row.ai, place),
    truncated,
    deliveryStatus: {
      active: health.suspendedAt === null,
      ...(health.lastDeliveryAt !== null && { lastDeliveryAt: timestampFromDate(health.lastDeliveryAt) }),
      ...(health.lastError !== null && { lastError: publicError(health.lastError) }),
      ...(health.failedSince !== null && { failedSince: timestampFromDate(health.failedSince) }),
    },
    name: row.name,
    url: row.url,
    ...(row.group !== null && { group: row.groupReference ?? printId('grp', row.group) }),
  };
}
