import { type Db, fragment, type Lease, leaseRows, named, raw, type Tx } from '@hearth/db';
import { mostOf, type PagePosition, placeValues } from '@hearth/paging';
import { column, type RowOf } from '../../shared/db/columns.ts';
import { createRows } from '../../shared/db/rows.ts';
import type { Elsewhere } from '../domain/elsewhere.ts';
import type { Offer, OfferStatus } from '../domain/offer.ts';
import type { Party } from '../domain/party.ts';
import { isKnownAt } from './is-known-at.ts';

/** An address that an offer was made to. */
export interface Recipient {
  to: string;
  /** The AI or person at the address; null for a group. */
  party: Party | null;
  /**
   * sending, delivered, requested, front_door, declined, turned_away, posted; for a remote recipient held,
   * delivered, undeliverable
   */
  how: string;
  /** Whether the recipient's remote home received the offer (true) or refused it (false); absent until known. */
  reached?: boolean;
}

const stored = {
  id: 'uuid',
  title: 'text',
  place: 'text null',
  note: 'text null',
  time_zone: 'text',
  host: column<Party>('jsonb'),
  host_id: 'uuid',
  host_viewer: 'uuid',
  audience: column<'addresses' | 'group' | 'anyone'>('text'),
  group: 'uuid null',
  group_address: 'text null',
  recipients: column<readonly Recipient[]>('jsonb'),
  slots: 'jsonb',
  holds: 'jsonb',
  busy: 'jsonb',
  times: 'smallint',
  booked: 'smallint',
  status: 'text',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
  due_at: 'timestamptz null',
  sending: 'boolean',
  /** Null for a local offer. */
  elsewhere: column<Elsewhere | null>('jsonb'),
} as const;

export type OfferRow = RowOf<typeof stored, Offer>;

/** An offer as stored; its version changes with every write. */
export type StoredOffer = OfferRow & { version: string };

const rows = createRows<OfferRow, StoredOffer>({
  table: 'decisions.offers',
  as: 'o',
  columns: stored,
  beside: 'o.xmin::text as version',
});
const { columns } = rows.parts;

export const {
  find: findOffer,
  insert: insertOffers,
  lock: lockOffer,
  lockAll: lockOffers,
  erase: eraseOffer,
} = rows;

/** uuid of a remote offer; null if unknown here. */
export async function findElsewhere(db: Db, reference: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(named('offers_find_elsewhere')`
    select id from decisions.offers where elsewhere->>'reference' = ${reference}`);
  return row?.id ?? null;
}

/** The remote hosts who made offers to the viewer (uuid). */
export async function findMakersElsewhere(db: Db, viewer: string): Promise<Party[]> {
  const rows = await db.query<{ host: Party }>(named('offers_find_makers_elsewhere')`
    select distinct on (o.host_id) o.host from decisions.offer_seats s join decisions.offers o on o.id = s.offer
    where s.viewer = ${viewer} and o.elsewhere is not null`);
  return rows.map(({ host }) => host);
}

/** An offer, and whether the viewer made it or was addressed by it. */
export type SeatedOffer = StoredOffer & { seated: boolean };

/**
 * For each offer and viewer (uuids): the offer or null. Written for one generic plan with index look-ups,
 * like `findSeen` of things.
 */
export async function findSeated(
  db: Db,
  wanted: readonly { id: string; viewer: string }[],
): Promise<(SeatedOffer | null)[]> {
  const rows = await db.query<SeatedOffer & { nth: number }>(named('offers_find_seated')`
    select ${columns}, w.nth::int as nth, o.host_viewer = w.viewer
      or exists (select from decisions.offer_seats s where s.viewer = w.viewer and s.offer = o.id) as seated
    from unnest((select ${wanted.map(({ id }) => id)}::uuid[]), (select ${wanted.map(({ viewer }) => viewer)}::uuid[]))
      with ordinality as w (id, viewer, nth)
    cross join lateral (select one.*, one.xmin from decisions.offers one where one.id = w.id offset 0) o`);
  const found = new Map(rows.map(({ nth, ...row }) => [nth, row]));
  return wanted.map((_, index) => found.get(index + 1) ?? null);
}

/** An offer before and after a change. */
export interface OfferChange {
  before: StoredOffer;
  after: OfferRow;
}

/** The columns that booking, holds and time change, as JSON; if just one slot changed, only that slot. */
export function coursesOf(changes: readonly OfferChange[]): string {
  const changed = changes.map(({ before, after: { id, status, slots, holds, busy, booked, due_at } }) => {
    const places = slots.flatMap((slot, place) => (slot === before.slots[place] ? [] : [place]));
    const [place] = places;
    const times =
      place === undefined ? {} : places.length === 1 ? { place, meeting: slots[place]?.meeting } : { slots };
    return { id, version: before.version, status, holds, busy, booked, due_at, ...times };
  });
  return JSON.stringify(changed);
}

/** The columns of `coursesOf`, for `json_to_recordset`. */
export const courseColumns = raw(
  `id uuid, version text, status text, place integer, meeting text, slots jsonb, holds jsonb, busy jsonb,
    booked smallint, due_at timestamptz`,
);

/** Writes these columns from row `g` to offer `o`. */
export const setCourse = raw(`
  slots = case
    when g.place is null then coalesce(g.slots, o.slots)
    else jsonb_set(o.slots, array[g.place::text, 'meeting'], coalesce(to_jsonb(g.meeting), 'null')) end,
  status = g.status, holds = g.holds, busy = g.busy, booked = g.booked, due_at = g.due_at, claimed_until = null`);

/** Writes changed offers whose rows are locked. */
export async function updateOffers(tx: Tx, changes: readonly OfferChange[]): Promise<void> {
  await tx.execute(named('offers_update')`
    update decisions.offers o set ${setCourse}
    from json_to_recordset(${coursesOf(changes)}::json) as g (${courseColumns})
    where o.id = g.id`);
}

/** Writes how the offer reached its recipients, and seats for those it reached. */
export async function updateRecipients(
  tx: Tx,
  { id, created_at }: OfferRow,
  recipients: readonly Recipient[],
  viewers: readonly string[],
): Promise<void> {
  await tx.execute(named('offers_update_recipients')`
    with told as (
      update decisions.offers set recipients = ${JSON.stringify(recipients)},
        sending = ${recipients.some(({ how }) => how === 'sending')}, claimed_until = null where id = ${id}),
    gone as (delete from decisions.offer_seats where offer = ${id} and viewer <> all(${viewers}::uuid[]))
    insert into decisions.offer_seats (viewer, offer, created_at)
    select v, ${id}, ${created_at} from unnest(${viewers}::uuid[]) v on conflict do nothing`);
}

/** Deletes an offer and its request's key, so that the request can be retried. */
export async function deleteOffer(tx: Tx, id: string, scope: string, requestId: string): Promise<void> {
  await tx.execute(named('offers_delete')`
    with unclaimed as (
      delete from decisions.requests where scope = ${scope} and operation = 'offer_times'
        and request_id = ${requestId})
    delete from decisions.offers where id = ${id}`);
}

/** Deletes the row of a remote offer whose copy was deleted, so that it can be inserted again. */
export async function forgetElsewhere(tx: Tx, reference: string): Promise<void> {
  await tx.execute(named('offers_forget_elsewhere')`
    delete from decisions.offers where elsewhere->>'reference' = ${reference}`);
}

/** uuids of these viewers' (uuids) offers that can be booked, or could be if a meeting were cancelled. */
export async function findLive(db: Db, viewers: readonly string[], now: Date): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('offers_find_live')`
    select id from decisions.offers
    where host_viewer = any(${viewers}::uuid[]) and status in ('open', 'taken') and elsewhere is null
      and expires_at > ${now}`);
  return rows.map(({ id }) => id);
}

export async function countOpen(db: Db, host: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(named('offers_count_open')`
    select count(*)::int as count from decisions.offers where host_id = ${host} and status = 'open'`);
  return count;
}

export interface ListedOffers {
  /** uuid */
  viewer: string;
  /** uuids of the groups of the viewer. */
  groups: readonly string[];
  /** uuid of the party whose offers to list; null: offers by or to the viewer. */
  by: string | null;
  mine: boolean;
  toMe: boolean;
  anyone: boolean;
  status: OfferStatus | null;
}

/** Offers that the viewer may see, newest first. */
export async function listOffers(
  db: Db,
  { viewer, groups, by, mine, toMe, anyone, status }: ListedOffers,
  after: PagePosition | null,
  limit: number,
): Promise<OfferRow[]> {
  const most = mostOf(limit);
  const values: unknown[] = [...placeValues(after)];
  const me = () => `$${values.push(viewer)}::uuid`;
  const ofStatus = status === null ? '' : `and o.status = $${values.push(status)}`;
  const ofHost = by === null ? '' : `and o.host_id = $${values.push(by)}::uuid`;
  const part = (from: string, where: string) => `
    (select o.id, o.created_at from ${from}
    where ${where} and (o.created_at, o.id) < ($1::timestamptz, $2::uuid) ${ofStatus} ${ofHost}
    order by o.created_at desc, o.id desc limit ${most})`;
  // A separate query per group, so that the index provides the order.
  const ofGroup = () => part('decisions.offers o', `o."group" = g.id and o.host_viewer <> ${me()}`);
  const parts = [
    ...(mine ? [part('decisions.offers o', `o.host_viewer = ${me()}`)] : []),
    ...(toMe
      ? [
          part('decisions.offer_seats s join decisions.offers o on o.id = s.offer', `s.viewer = ${me()}`),
          `(select found.* from unnest($${values.push(groups)}::uuid[]) g (id) cross join lateral ${ofGroup()} found)`,
        ]
      : []),
    ...(anyone ? [part('decisions.offers o', `o.audience = 'anyone'`)] : []),
  ];
  // Offers by the caller to the caller don't exist.
  if (parts.length === 0) return [];
  return await db.query<OfferRow>({
    text: `
      select ${columns} from decisions.offers o
      where o.id in (select id from (${parts.join(' union ')}) found order by created_at desc, id desc limit ${most})
      order by o.created_at desc, o.id desc limit ${most}`,
    values,
  });
}

/** The party's ten newest open offers to anyone. */
export async function findOpenToAnyone(db: Db, host: string, now: Date): Promise<OfferRow[]> {
  const open = fragment`o.host_id = ${host} and o.audience = 'anyone' and o.status = 'open' and o.due_at > ${now}
    order by o.created_at desc, o.id desc limit 10`;
  return await rows.where(db, 'open_to_anyone', open);
}

/** When the grace period ends for the oldest offer still being sent. */
export const nextSending = (graceMs: number) => fragment`
  select min(created_at) + interval '${raw(graceMs)} milliseconds' from decisions.offers where sending`;

/** Leases offers made before `before` that are still being sent. */
export async function claimSending(tx: Tx, before: Date, lease: Lease): Promise<string[]> {
  const where = fragment`sending and created_at <= ${before}`;
  return await leaseRows(
    tx,
    { name: 'offers_claim_sending', table: 'decisions.offers', where, by: 'created_at' },
    lease,
  );
}

/** uuids of the open offers of deleted parties (uuids), and of deleted people's AIs. */
export async function findOpenOf(db: Db, parties: readonly string[], until: Date | null): Promise<string[]> {
  const rows = await db.query<{ id: string }>(named('offers_find_open_of')`
    select id from decisions.offers
    where (host_id = any(${parties}::uuid[]) or host_viewer = any(${parties}::uuid[])) and status = 'open'
      and (${until}::timestamptz is null or ${isKnownAt('created_at', until)})`);
  return rows.map(({ id }) => id);
}

/** Removes the viewer's seats at a blocked sender's offers made before `before`; null: at all of them. */
export async function unseat(
  tx: Tx,
  viewer: string,
  hosts: readonly string[],
  before: Date | null = null,
): Promise<void> {
  await tx.execute(named('offers_unseat')`
    delete from decisions.offer_seats s using decisions.offers o
    where s.viewer = ${viewer} and o.id = s.offer and (${before}::timestamptz is null or s.created_at < ${before})
      and (o.host_id = any(${hosts}::uuid[])
      or o.host_viewer = any(${hosts}::uuid[]))`);
}
