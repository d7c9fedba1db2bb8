import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';

/** Events of an app (uuid) were sent once more, or callbacks to whoever asked for them; mails concern no one by name. */
export function deliveriesReplayed(
  value: { app: string; ai: string; owner: string; count: number; reason: string },
  by: Caller,
): Announcement {
  return { data: { case: 'deliveriesReplayed', value }, by };
}

/** An address is used again: an app's, a subscription's with its AI and the AI's owner, or those of callbacks with whoever asked. All uuids, or empty. */
export function destinationResumed(
  value: { app: string; subscription: string; ai: string; owner: string; reason: string },
  by: Caller,
): Announcement {
  return { data: { case: 'destinationResumed', value }, by };
}
