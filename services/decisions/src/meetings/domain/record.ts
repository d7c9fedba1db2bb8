import { printId } from '@hearth/ids';
import type { MeetingRow } from '../db/meetings.ts';
import { isVerified, type Party } from './party.ts';

/**
 * The members of the record of a meeting as it stands.
 *
 * @param home its name
 */
export function recordBody(home: string, row: MeetingRow): Record<string, unknown> {
  return {
    meeting: {
      id: printId('mtg', row.id),
      uid: uidOf(row.id, home),
      sequence: row.sequence,
      title: row.title,
      starts_at: row.starts_at.toISOString(),
      ends_at: row.ends_at.toISOString(),
      time_zone: row.time_zone,
      ...(row.place !== null && { place: row.place }),
      ...(row.moved_from !== null && { moved_from: row.moved_from.toISOString() }),
      offered_by: sideOf(row.host),
      booked_by: sideOf(row.guest),
      booked_at: row.booked_at.toISOString(),
    },
    status: row.status,
    settled_at: row.settled_at.toISOString(),
  };
}

const sideOf = (side: Party) => ({
  address: side.address,
  name: side.name,
  name_verified: isVerified(side),
});

/** The UID of its calendar files. */
export const uidOf = (id: string, home: string) => `meeting-${id}@${home}`;
