import { printId } from '@hearth/ids';
import type { MeetingRow } from '../db/meetings.ts';
import { isHere, isVerified, type Party } from './party.ts';

/** A record that is not signed yet, and its members. */
export interface UnsignedRecord {
  /** uuid */
  record: string;
  body: Record<string, unknown>;
}

/** The unsigned records of a meeting, oldest first, ending with the current one. */
export function unsignedOf(home: string, row: MeetingRow): [UnsignedRecord, ...UnsignedRecord[]] {
  const [first, ...others] = row.unsigned_before ?? [];
  const present = { record: row.record, body: recordBody(home, row) };
  return first === undefined ? [present] : [first, ...others, present];
}

/**
 * The members of the meeting's current record, including the signed acts by which a remote side booked, moved
 * and cancelled it.
 *
 * @param home this home's name
 */
function recordBody(home: string, row: MeetingRow): Record<string, unknown> {
  const { book, ...others } = row.acts;
  const acts = [others.move, others.cancel].flatMap((item) => (item === undefined ? [] : JSON.parse(item)));
  return {
    meeting: {
      id: printId('mtg', row.id),
      uid: uidOf(row, home),
      sequence: row.sequence,
      title: row.title,
      starts_at: row.starts_at.toISOString(),
      ends_at: row.ends_at.toISOString(),
      time_zone: row.time_zone,
      ...(row.place !== null && { place: row.place }),
      ...(row.moved_from !== null && { moved_from: row.moved_from.toISOString() }),
      ...(!isHere(row.guest) && { offer: printId('ofr', row.offer) }),
      offered_by: sideOf(row.host),
      booked_by: { ...sideOf(row.guest), ...(book !== undefined && { item: JSON.parse(book) }) },
      booked_at: row.booked_at.toISOString(),
    },
    status: row.status,
    settled_at: row.settled_at.toISOString(),
    ...(acts.length > 0 && { acts }),
  };
}

const sideOf = (side: Party) => ({
  address: side.address,
  name: side.name,
  name_verified: isVerified(side),
  ...(side.home !== undefined && { home: side.home }),
});

/** The UID of its calendar files. */
export const uidOf = ({ elsewhere, id }: Pick<MeetingRow, 'elsewhere' | 'id'>, home: string) =>
  elsewhere?.uid ?? `meeting-${id}@${home}`;
