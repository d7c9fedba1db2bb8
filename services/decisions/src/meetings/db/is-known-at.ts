import { type Fragment, fragment, raw } from '@hearth/db';

/**
 * Whether an offer or meeting was known at that time. The time of a remote one is by the clock of its home, so the time at
 * which its copy came counts.
 *
 * @param column when it was made
 */
export const isKnownAt = (column: 'booked_at' | 'created_at', at: Date | null): Fragment => fragment`
  case when elsewhere is null then ${raw(column)} <= ${at} else not exists (
    select from decisions.home_copies c
    where c.reference = elsewhere->>'reference' and c.received_at > ${at}) end`;
