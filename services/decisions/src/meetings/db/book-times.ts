import { named, type Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import { type MeetingRow, meetingParts } from './meetings.ts';
import { courseColumns, coursesOf, type OfferChange, setCourse } from './offers.ts';

/** A meeting that takes a time, and its event. */
export interface NewMeeting {
  row: MeetingRow;
  event: OutboxRow;
  /** The local AIs that book it, by their uuids, with the owners as looked up. */
  bookers: readonly { meeting: string; ai: string; person: string | null }[];
}

/**
 * Writes offers with booked times, their meetings and events; returns the uuids of the offers written. Skips
 * offers that changed since they were read, and those locked by others. Also skips bookings that affect other
 * rows: a side has another offer ahead, the guest hosts a meeting ahead, or the host has another meeting at
 * that time; and bookings by an AI whose owner isn't recorded, is recorded as under 18, or is a different one by
 * now.
 */
export async function bookTimes(
  tx: Tx,
  changes: readonly OfferChange[],
  meetings: readonly NewMeeting[],
  now: Date,
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(named('offers_book_times')`
    with given as (
      select * from json_to_recordset(${coursesOf(changes)}::json) as g (${courseColumns})),
    meeting as (
      select * from json_to_recordset(${JSON.stringify(meetings.map(({ row }) => row))}::json) as g (${meetingParts.types})),
    booker as (
      select * from json_to_recordset(${JSON.stringify(meetings.flatMap(({ bookers }) => bookers))}::json)
        as b (meeting uuid, ai uuid, person uuid)),
    owned as (
      select b.meeting, b.ai from decisions.hands h join booker b on b.ai = h.ai
      where h.person is not distinct from b.person and not h.minor for share of h skip locked),
    same as (
      select o.id from decisions.offers o join given g on g.id = o.id
      where o.xmin::text = g.version and not exists (
        select from meeting n where n.offer = o.id and (
          exists (select from booker b where b.meeting = n.id
            and not exists (select from owned h where h.meeting = b.meeting and h.ai = b.ai))
          or
          exists (select from decisions.offers other
            where other.host_viewer in (o.host_viewer, n.guest_viewer) and other.id <> o.id
              and other.status in ('open', 'taken') and other.elsewhere is null and other.expires_at > ${now})
          or exists (select from decisions.meetings m
            where m.host_viewer = n.guest_viewer and m.status = 'booked' and m.ends_at > ${now}
              and m.starts_at > ${now}::timestamptz - interval '1 day')
          or exists (select from decisions.meetings m
            where m.host_viewer = o.host_viewer and m.status = 'booked' and m.ends_at > n.starts_at
              and m.starts_at > n.starts_at - interval '1 day' and m.starts_at < n.ends_at)
          or exists (select from decisions.meetings m
            where m.guest_viewer = o.host_viewer and m.status = 'booked' and m.ends_at > n.starts_at
              and m.starts_at > n.starts_at - interval '1 day' and m.starts_at < n.ends_at)))
      for update of o skip locked),
    changed as (
      update decisions.offers o set ${setCourse}
      from same join given g on g.id = same.id where o.id = same.id
      returning o.id),
    made as (
      insert into decisions.meetings (${meetingParts.names})
      select ${meetingParts.names} from meeting g
      where g.offer in (select id from changed)),
    announced as (
      insert into decisions.outbox (id, type, event)
      select e.id, e.type, e.event
      from unnest(${meetings.map(({ row }) => row.offer)}::uuid[], ${meetings.map(({ event }) => event.id)}::uuid[],
        ${meetings.map(({ event }) => event.type)}::text[], ${meetings.map(({ event }) => event.event)}::bytea[])
        as e (offer, id, type, event)
      where e.offer in (select id from changed))
    select id from changed`);
  return new Set(rows.map(({ id }) => id));
}
