import { type Db, fragment, type Lease, leaseRows, named, type Tx } from '@hearth/db';
import { mostOf, type PagePosition, placeValues } from '@hearth/paging';
import type { Unsigned } from '@hearth/receipts';
import { column, type RowOf } from '../../shared/db/columns.ts';
import { createRows } from '../../shared/db/rows.ts';
import type { MeetingElsewhere } from '../domain/elsewhere.ts';
import type { Course, Move } from '../domain/meeting.ts';
import type { Party } from '../domain/party.ts';
import type { UnsignedRecord } from '../domain/record.ts';
import { isKnownAt } from './is-known-at.ts';

const stored = {
  id: 'uuid',
  offer: 'uuid',
  /** Start of the offer's time that it takes; null if it takes none. */
  slot: 'timestamptz null',
  title: 'text',
  place: 'text null',
  time_zone: 'text',
  starts_at: 'timestamptz',
  ends_at: 'timestamptz',
  host: column<Party>('jsonb'),
  guest: column<Party>('jsonb'),
  host_viewer: 'uuid',
  guest_viewer: 'uuid',
  note: 'text null',
  status: 'text',
  sequence: 'integer',
  moved_from: 'timestamptz null',
  move: 'jsonb null',
  telling: 'boolean',
  cancelled_by: 'smallint null',
  reason: 'text null',
  booked_at: 'timestamptz',
  revision: 'integer',
  record: 'uuid',
  signed_record: 'text null',
  earlier_record: 'text null',
  /** Earlier versions that are not signed yet, oldest first. */
  unsigned_before: column<readonly UnsignedRecord[] | null>('jsonb'),
  settled_at: 'timestamptz',
  /** Null for a local meeting. */
  elsewhere: column<MeetingElsewhere | null>('jsonb'),
  /**
   * Signed acts (JSON) by which a remote side booked, agreed to the last move, and cancelled; `last` is its
   * latest act of any kind.
   */
  acts: column<Readonly<Partial<Record<'book' | 'move' | 'cancel' | 'last', string | undefined>>>>('jsonb'),
} as const;

export type MeetingRow = RowOf<typeof stored, Course>;

const rows = createRows<MeetingRow>({ table: 'decisions.meetings', as: 'm', columns: stored });
const { columns } = rows.parts;
/** For the statement that books times. */
export const { parts: meetingParts } = rows;

export const {
  lock: lockMeeting,
  insert: insertMeetings,
  update: updateMeeting,
  erase: deleteMeeting,
} = rows;

/** The meeting for each uuid, or null. */
export async function findMeetings(db: Db, ids: readonly string[]): Promise<(MeetingRow | null)[]> {
  const found = new Map((await rows.findAll(db, ids)).map((row) => [row.id, row]));
  return ids.map((id) => found.get(id) ?? null);
}

/** A local meeting (uuid) or a remote one (reference) that the viewer (uuid) is a side of. */
export async function findSeen(
  db: Db,
  by: { id: string } | { reference: string },
  viewer: string,
): Promise<MeetingRow | null> {
  const [name, one] =
    'id' in by
      ? ['find_seen', fragment`m.id = ${by.id} and m.elsewhere is null`]
      : ['find_seen_elsewhere', fragment`m.elsewhere->>'reference' = ${by.reference}`];
  const seen = fragment`${one} and ${viewer} in (m.host_viewer, m.guest_viewer)`;
  return (await rows.where(db, name as string, seen))[0] ?? null;
}

export interface ListedMeetings {
  /** uuid */
  viewer: string;
  since: Date | null;
  until: Date | null;
  status: 'booked' | 'cancelled' | 'past' | null;
  now: Date;
}

/** The viewer's meetings, latest first. */
export async function listMeetings(
  db: Db,
  { viewer, since, until, status, now }: ListedMeetings,
  after: PagePosition | null,
  limit: number,
): Promise<MeetingRow[]> {
  const most = mostOf(limit);
  const values: unknown[] = [...placeValues(after), viewer, since ?? '-infinity', until ?? 'infinity'];
  const stored = status === 'past' ? 'booked' : status;
  const ofStatus = stored === null ? '' : `and m.status = $${values.push(stored)}`;
  // Filter by start time, which is indexed: a meeting lasts at most a day.
  const ofTime =
    stored !== 'booked'
      ? ''
      : status === 'booked'
        ? `and m.ends_at > $${values.push(now)}::timestamptz and m.starts_at > $${values.length}::timestamptz - interval '1 day'`
        : `and m.ends_at <= $${values.push(now)}::timestamptz and m.starts_at <= $${values.length}::timestamptz`;
  const part = (side: string) => `
    (select m.id from decisions.meetings m
    where m.${side} = $3 and (m.starts_at, m.id) < ($1::timestamptz, $2::uuid)
      and m.starts_at >= $4::timestamptz and m.starts_at < $5::timestamptz ${ofStatus} ${ofTime}
    order by m.starts_at desc, m.id desc limit ${most})`;
  return await db.query<MeetingRow>({
    text: `
      select ${columns} from decisions.meetings m
      where m.id in (${part('host_viewer')} union ${part('guest_viewer')})
      order by m.starts_at desc, m.id desc limit ${most}`,
    values,
  });
}

/** Meetings whose current record is not signed. */
export const unsigned: Unsigned = {
  table: 'decisions.meetings',
  where: 'signed_record is null and elsewhere is null',
};

/** A meeting's signed record; `id` and `record` are uuids. */
export interface SignedMeeting {
  id: string;
  record: string;
  json: string;
}

/** Stores records; returns the uuids written. Skips meetings that are already signed or have changed since. */
export async function storeRecords(tx: Tx, all: readonly SignedMeeting[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(named('meetings_store_records')`
    with given as (select * from unnest(${all.map(({ id }) => id)}::uuid[],
      ${all.map(({ record }) => record)}::uuid[], ${all.map(({ json }) => json)}::text[])
      as g (id, record, json)),
    open as (
      select m.id, g.json from decisions.meetings m join given g on g.id = m.id
      where m.record = g.record and m.signed_record is null order by m.id for update of m)
    update decisions.meetings m set signed_record = open.json, claimed_until = null, revision = revision + 1
    from open where m.id = open.id returning m.id`);
  return new Set(rows.map(({ id }) => id));
}

/** Stores the oldest unsigned earlier record once. */
export async function storeEarlierRecord(tx: Tx, { id, record, json }: SignedMeeting): Promise<void> {
  await tx.execute(named('meetings_store_earlier_record')`
    update decisions.meetings
    set earlier_record = ${json}, unsigned_before = nullif(unsigned_before - 0, '[]'), claimed_until = null
    where id = ${id} and unsigned_before->0->>'record' = ${record}`);
}

/** Upcoming meetings of deleted parties (uuids), and of deleted people's AIs. */
export async function findAheadOf(
  db: Db,
  parties: readonly string[],
  { now, until }: { now: Date; until: Date | null },
): Promise<MeetingRow[]> {
  const of = fragment`${parties}::uuid[]`;
  const ahead = fragment`status = 'booked' and ends_at > ${now}
    and (${until}::timestamptz is null or ${isKnownAt('booked_at', until)})
    and (host_viewer = any(${of}) or guest_viewer = any(${of})
      or (host->>'id')::uuid = any(${of}) or (guest->>'id')::uuid = any(${of}))`;
  return await rows.where(db, 'find_ahead_of', ahead);
}

/** Meetings where the other side proposed a move to the viewer (uuid). */
export async function findMovesTo(db: Db, viewer: string): Promise<MeetingRow[]> {
  const moves = fragment`status = 'booked' and (move->>'by' = '0' and guest_viewer = ${viewer}
    or move->>'by' = '1' and host_viewer = ${viewer})`;
  return await rows.where(db, 'find_moves_to', moves);
}

/** Deletes the row of a remote meeting whose copy was deleted, so that it can be inserted again. */
export async function forgetElsewhere(tx: Tx, reference: string): Promise<void> {
  await tx.execute(named('meetings_forget_elsewhere')`
    delete from decisions.meetings where elsewhere->>'reference' = ${reference}`);
}

export const nextTelling = fragment`select min(settled_at) from decisions.meetings where telling`;

/** Leases meetings whose proposed move was not sent yet. */
export async function claimTelling(tx: Tx, lease: Lease): Promise<string[]> {
  const table = 'decisions.meetings';
  const waiting = { name: 'meetings_claim_telling', table, where: fragment`telling`, by: 'settled_at' };
  return await leaseRows(tx, waiting, lease);
}

/**
 * Records that the move was sent, with the message's id if it went to another home; does nothing if another
 * move replaced it.
 */
export async function noteTold(tx: Tx, id: string, move: Move, message: string | undefined): Promise<void> {
  await tx.execute(named('meetings_note_told')`
    update decisions.meetings set claimed_until = null, telling = telling and move is distinct from given,
      move = case when move = given then ${JSON.stringify({ ...move, message })}::jsonb else move end
    from (select ${JSON.stringify(move)}::jsonb as given) g
    where id = ${id}`);
}

/** uuids of the meetings whose pending move was sent by one of these messages (msg_). */
export async function findMovesBy(db: Db, messages: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('meetings_find_moves_by')`
    select id from decisions.meetings where move->>'message' = any(${messages}::text[])`);
  return rows.map(({ id }) => id);
}
