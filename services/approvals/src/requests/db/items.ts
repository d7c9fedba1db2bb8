import { type Db, named, type Tx } from '@hearth/db';
import { mostOf, type PagePosition, placeValues } from '@hearth/paging';
import { placeNotices } from '../../shared/db/request-notices.ts';

/** The key of an item; `part` is the recipient's position for an ask, else 0. */
export interface ItemKey {
  /** approval, message or invite. */
  kind: string;
  /** uuid */
  id: string;
  part: number;
}

/** An item that waits for a person. */
export interface ItemRow extends ItemKey {
  /** uuid of the recipient, or of an AI's responsible person. */
  owner: string;
  /** uuid of the viewer who holds it in the owner's place; null if the owner and their AIs see it. */
  holder: string | null;
  box: 'inbox' | 'requests' | 'front_door';
  label: string;
  since: Date;
  expires: Date | null;
  /** uuids of the sender, and of the sender's person. */
  senders: string[];
  /** uuid of the child that an ask is about, or of the AI that is asked. */
  subject?: string | null;
}

/** The owner and holder of an item, whose lists changed. */
export type Lists = Pick<ItemRow, 'owner' | 'holder'>;

export interface ItemsWrite {
  placed: readonly ItemRow[];
  closed: readonly ItemKey[];
  at: Date;
  /** Updates owner, holder, box and label of known items. */
  moves: boolean;
}

/**
 * Places and closes items in one statement. A known item is not placed again, and a closed item stays closed.
 * Returns the lists that changed. Also schedules a notice to owners about messages in their own requests.
 *
 * @param write contains each key only once
 */
export async function writeItems(tx: Tx, { placed, closed, at, moves }: ItemsWrite): Promise<Lists[]> {
  return await tx.query<Lists>({
    name: 'approvals_write_items',
    // Sorted, so that concurrent statements with the same keys wait for each other instead of deadlocking.
    text: `
      with placed as (
        insert into approvals.items as i (kind, id, part, owner, holder, box, label, since, expires, senders, subject, noted_at)
        select kind, id, part, owner, holder, box, label, since, expires, senders, subject, $3::timestamptz
        from json_populate_recordset(null::approvals.items, $1::json) order by kind, id, part
        on conflict (kind, id, part) do update set owner = excluded.owner, holder = excluded.holder, box = excluded.box,
          label = excluded.label, noted_at =
            case when i.holder is null and i.owner = excluded.owner then i.noted_at else excluded.noted_at end
        where $4 and i.closed_at is null
        returning owner, holder, kind, box, noted_at),
      noticed as (
        ${placeNotices(`
          select owner as person, $3::timestamptz as at from placed
          where kind = 'message' and box = 'requests' and holder is null and noted_at = $3::timestamptz`)}),
      closed as (
        insert into approvals.items as i (kind, id, part, closed_at)
        select kind, id, part, $3 from json_populate_recordset(null::approvals.items, $2::json) order by kind, id, part
        on conflict (kind, id, part) do update set closed_at = $3 where i.closed_at is null
        returning owner, holder)
      select owner, holder from placed union select owner, holder from closed where owner is not null`,
    values: [JSON.stringify(placed), JSON.stringify(closed.map(keyOf)), at, moves],
  });
}

const keyOf = ({ kind, id, part }: ItemKey) => ({ kind, id, part });

/** Deletes items that were closed before `before`, at most `limit`. */
export async function purgeClosed(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute(named('approvals_purge_items')`
    delete from approvals.items
    where (kind, id, part) in (
      select kind, id, part from approvals.items where closed_at < ${before} order by closed_at
        limit ${limit})`);
}

/** The viewer of a requests box. */
export interface ItemsViewer {
  /** uuid of the person, or of an AI without one. */
  person: string;
  /** uuid of the caller: the person, or an AI of theirs. */
  caller: string;
}

const columns =
  'i.kind, i.id, i.part, i.owner, i.holder, i.box, i.label, i.since, i.expires, i.senders, i.subject';

export interface ItemsPage {
  /** The labels to include. */
  labels: readonly string[];
  now: Date;
  before: PagePosition | null;
  limit: number;
}

/** $1 is the person, $2 the caller, $3 the labels, $4 the current time. */
const listed = `i.box <> 'inbox' and i.closed_at is null and (i.expires is null or i.expires > $4::timestamptz)`;
const own = `i.owner = $1::uuid and i.holder is null`;
const held = `i.holder = $2::uuid and i.holder is not null`;

/**
 * Newest first; only the first part of an item with several. Each label of owner and holder is read from its
 * own range of an index, so a page costs the same at any size.
 */
export async function listItems(
  db: Db,
  { person, caller }: ItemsViewer,
  { labels, now, before, limit }: ItemsPage,
): Promise<ItemRow[]> {
  const most = mostOf(limit);
  const newest = (theirs: string) => `
    select found.* from unnest($3::text[]) as k (label) cross join lateral (
      select distinct on (i.since, i.id) i.since, i.id, i.kind from approvals.items i
      where ${theirs} and ${listed} and i.label = k.label and (i.since, i.id) < ($5::timestamptz, $6::uuid)
      order by i.since desc, i.id desc limit ${most}) found`;
  const rows = await db.query<ItemRow>({
    name: `approvals_list_items_${most}`,
    text: `
      with places as (${newest(own)} union ${newest(held)})
      select ${columns}
      from (select * from places order by since desc, id desc limit ${most}) p
      cross join lateral (
        select * from approvals.items i
        where i.kind = p.kind and i.id = p.id and (${own} or ${held}) and ${listed} and i.label = any($3::text[])
        order by i.part limit 1) i
      order by p.since desc, p.id desc`,
    values: [person, caller, labels, now, ...placeValues(before)],
  });
  return rows.slice(0, limit);
}

/**
 * The parts of an item that the viewer may settle.
 *
 * @param atDoor whether a person may also settle items at their own front door
 */
export async function findItem(
  db: Db,
  { person, caller }: ItemsViewer,
  { kind, id }: Pick<ItemKey, 'kind' | 'id'>,
  { now, atDoor }: { now: Date; atDoor: boolean },
): Promise<ItemRow[]> {
  return await db.query<ItemRow>({
    name: 'approvals_find_item',
    text: `
      select ${columns} from approvals.items i
      where i.kind = $3 and i.id = $5::uuid and ${listed}
        and (${own} or ${held} or $6 and i.owner = $1::uuid and i.box = 'front_door')
      order by i.part`,
    values: [person, caller, kind, now, id, atDoor],
  });
}

export interface WaitingCount {
  count: number;
  oldest: Date | null;
}

/** Counts the items that wait for the viewer, in both inboxes and in the requests, up to `most` each. */
export async function countItems(
  db: Db,
  { person, caller }: ItemsViewer,
  now: Date,
  most: number,
): Promise<{ inbox: WaitingCount; others: WaitingCount }> {
  const open = `i.closed_at is null and (i.expires is null or i.expires > $3::timestamptz)`;
  const part = (inbox: boolean, theirs: string) => `
    (select ${inbox} as inbox, i.since from approvals.items i
    where ${theirs} and i.box ${inbox ? '=' : '<>'} 'inbox' and ${open} limit ${most})`;
  const parts = [
    part(true, 'i.owner = any(array[$1, $2]::uuid[]) and i.holder is null'),
    part(true, 'i.holder = any(array[$1, $2]::uuid[]) and i.holder is not null'),
    // An ask to an AI is listed for everyone who acts for its person, but counted only for that AI, which
    // answers itself.
    part(false, `${own} and (i.kind <> 'approval' or i.subject is null or i.subject = $2::uuid)`),
    part(false, held),
  ];
  const rows = await db.query<WaitingCount & { inbox: boolean }>({
    name: 'approvals_count_items',
    text: `
      select inbox, least(count(*), ${most})::int as count, min(since) as oldest
      from (${parts.join(' union all ')}) found group by inbox`,
    values: [person, caller, now],
  });
  const none = { count: 0, oldest: null };
  return { inbox: rows.find(({ inbox }) => inbox) ?? none, others: rows.find(({ inbox }) => !inbox) ?? none };
}

const concerned = {
  /** At that AI's front door. */
  door: `i.holder = $1::uuid and i.box = 'front_door'`,
  /** At a front door of that person. */
  doors: `i.owner = $1::uuid and i.box = 'front_door'`,
  /** Addressed to that AI. */
  asked: `i.subject = $1::uuid`,
  /** A message to that AI, or from before items named the AI, to its former owner $2. */
  hands: `i.kind = 'message' and (i.subject = $1::uuid or i.owner = $2::uuid and i.subject is null)`,
  /** Owned or held by that person. */
  person: `(i.owner = $1::uuid or i.holder = $1::uuid)`,
  /** Held by a guardian, or former guardian, of that child. */
  child: `(i.owner = $1::uuid and i.holder is not null and i.box <> 'front_door' or i.subject = $1::uuid)`,
  /** Owned or held by that person, from the sender $2 or an AI of theirs. */
  sent: `(i.owner = $1::uuid or i.holder = $1::uuid) and $2::uuid = any(i.senders)`,
} as const;

/** All open items that concern a person or AI (uuid). */
export async function findConcerned(
  db: Db,
  how: keyof typeof concerned,
  ...ids: readonly string[]
): Promise<ItemRow[]> {
  return await db.query<ItemRow>({
    name: `approvals_items_of_${how}`,
    text: `select ${columns} from approvals.items i where ${concerned[how]} and i.closed_at is null`,
    values: [...ids],
  });
}
