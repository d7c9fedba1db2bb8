import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';

/** The operator replayed events of an app (uuid), or callbacks to an asker; mails name no party. */
export function deliveriesReplayed(
  value: { app: string; ai: string; owner: string; count: number; reason: string },
  by: Caller,
): Announcement {
  return { data: { case: 'deliveriesReplayed', value }, by };
}

/**
 * The operator resumed a destination: an app, a subscription with its AI and owner, or the asker of
 * callbacks. All are uuids, or empty.
 */
export function destinationResumed(
  value: { app: string; subscription: string; ai: string; owner: string; reason: string },
  by: Caller,
): Announcement {
  return { data: { case: 'destinationResumed', value }, by };
}
