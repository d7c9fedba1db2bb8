import type { MeetingRow } from '../db/meetings.ts';
import type { MeetingNews } from './events.ts';
import type { MeetingSide } from './meeting.ts';

type Row = Pick<MeetingRow, 'cancelled_by' | 'move' | 'reason' | 'sequence' | 'status'>;

/** The news in a remote home's new state; null if there is none. @param before null for the first state */
export function whatChanged(
  before: Row | null,
  after: Row,
): Pick<MeetingNews, 'what' | 'side' | 'reason'> | null {
  if (before === null) return after.status === 'booked' ? { what: 'booked', side: 1 } : null;
  const { cancelled_by: side, move, reason } = after;
  if (before.status !== after.status)
    return after.status === 'cancelled' ? { what: 'cancelled', side, reason: reason ?? '' } : null;
  // The side that accepts or declines a move is the one that didn't propose it.
  const other: MeetingSide = before.move?.by === 0 ? 1 : 0;
  if (after.sequence > before.sequence) return { what: 'moved', side: other };
  // A reason here comes from the home: a side gives one only when it cancels.
  if (move === null)
    return before.move === null
      ? null
      : { what: 'move_declined', side: reason === null ? other : null, reason: reason ?? '' };
  const isSame =
    before.move?.by === move.by && before.move.starts === move.starts && before.move.ends === move.ends;
  return isSame ? null : { what: 'move_proposed', side: move.by, reason: move.reason };
}
