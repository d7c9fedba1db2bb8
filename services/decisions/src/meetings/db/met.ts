import { type Db, lockNames, named, type Tx } from '@hearth/db';
import type { Period } from '../domain/offer.ts';
import type { MeetingRow } from './meetings.ts';

/** A booked meeting's time and sides. */
export interface Met extends Period {
  id: string;
  offer: string;
  /** uuids of the viewers who offered and who booked the meeting. */
  host: string;
  guest: string;
}

export function toMet(
  row: Pick<MeetingRow, 'id' | 'offer' | 'host_viewer' | 'guest_viewer' | 'starts_at' | 'ends_at'>,
): Met {
  const { id, offer, host_viewer: host, guest_viewer: guest, starts_at, ends_at } = row;
  return { id, offer, host, guest, starts: starts_at.getTime(), ends: ends_at.getTime() };
}

/** Serializes bookings, moves and offers of these viewers (uuids) for the transaction. */
export async function lockHosts(tx: Tx, viewers: readonly string[]): Promise<void> {
  await lockNames(
    tx,
    viewers.map((viewer) => `decisions.times ${viewer}`),
  );
}

/**
 * The booked meetings of these viewers (uuids), on either side, between the start of the first and the end of
 * the last period.
 */
export async function findMet(
  db: Db,
  viewers: readonly string[],
  periods: readonly Period[],
): Promise<Met[]> {
  if (periods.length === 0) return [];
  const from = new Date(Math.min(...periods.map(({ starts }) => starts)));
  const until = new Date(Math.max(...periods.map(({ ends }) => ends)));
  const rows = await db.query<MeetingRow>(named('meetings_find_met')`
    select m.id, m.offer, m.host_viewer, m.guest_viewer, m.starts_at, m.ends_at
    from decisions.meetings m
    where m.id in (
      select id from decisions.meetings
      where host_viewer = any(${viewers}::uuid[])
        and starts_at > ${from}::timestamptz - interval '1 day' and starts_at < ${until}
      union
      select id from decisions.meetings
      where guest_viewer = any(${viewers}::uuid[])
        and starts_at > ${from}::timestamptz - interval '1 day' and starts_at < ${until})
      and m.status = 'booked' and m.ends_at > ${from}
    order by m.starts_at, m.id`);
  return rows.map(toMet);
}
