import type { MeetingRow } from '../db/meetings.ts';
import type { MeetingNews } from './events.ts';
import type { MeetingSide } from './meeting.ts';

type Row = Pick<MeetingRow, 'cancelled_by' | 'move' | 'reason' | 'sequence' | 'status'>;

/** The news in what another home says of a meeting; null where there is none. @param before null: it is heard of first */
export function whatChanged(
  before: Row | null,
  after: Row,
): Pick<MeetingNews, 'what' | 'side' | 'reason'> | null {
  if (before === null) return after.status === 'booked' ? { what: 'booked', side: 1 } : null;
  const { cancelled_by: side, move, reason } = after;
  if (before.status !== after.status)
    return after.status === 'cancelled' ? { what: 'cancelled', side, reason: reason ?? '' } : null;
  // The side that did not propose the other time accepts or declines it.
  const other: MeetingSide = before.move?.by === 0 ? 1 : 0;
  if (after.sequence > before.sequence) return { what: 'moved', side: other };
  // A reason is the home's: that of a side comes with the end of a meeting alone.
  if (move === null)
    return before.move === null
      ? null
      : { what: 'move_declined', side: reason === null ? other : null, reason: reason ?? '' };
  const isSame =
    before.move?.by === move.by && before.move.starts === move.starts && before.move.ends === move.ends;
  return isSame ? null : { what: 'move_proposed', side: move.by, reason: move.reason };
}
