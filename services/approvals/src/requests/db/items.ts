import { type Db, named, type Tx } from '@hearth/db';
import { mostOf, type PagePosition, placeValues } from '@hearth/paging';
import { placeNotices } from '../../shared/db/request-notices.ts';

/** The name of an item: `part` is the position of the recipient of an ask, else 0. */
export interface ItemKey {
  /** approval, message or invite. */
  kind: string;
  /** uuid */
  id: string;
  part: number;
}

/** An item that waits for a person. */
export interface ItemRow extends ItemKey {
  /** uuid of the recipient, or of the responsible person of an AI. */
  owner: string;
  /** uuid of the viewer who has it in the owner's place; null where the owner and their AIs see it. */
  holder: string | null;
  box: 'inbox' | 'requests' | 'front_door';
  label: string;
  since: Date;
  expires: Date | null;
  /** uuids of the sender, and of the sender's person. */
  senders: string[];
  /** uuid of the child whom an ask concerns, or of the AI that is asked. */
  subject?: string | null;
}

/** The owner and the holder of an item whose lists changed. */
export type Lists = Pick<ItemRow, 'owner' | 'holder'>;

export interface ItemsWrite {
  placed: readonly ItemRow[];
  closed: readonly ItemKey[];
  at: Date;
  /** Those that are known already take their new owner, holder, box and label. */
  moves: boolean;
}

/**
 * Places and closes items in one statement. An item that is known already is not placed again, and one that was closed
 * stays so. The lists that changed by it. Owners are told within a day of messages that come to wait in their own requests.
 *
 * @param write names each key once
 */
export async function writeItems(tx: Tx, { placed, closed, at, moves }: ItemsWrite): Promise<Lists[]> {
  return await tx.query<Lists>({
    name: 'approvals_write_items',
    // One order everywhere, so that two statements with the same keys wait for each other and cannot deadlock.
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

/** Forgets what was closed before that moment: at most `limit` items. */
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
  /** The labels that are wanted. */
  labels: readonly string[];
  now: Date;
  before: PagePosition | null;
  limit: number;
}

/** $1 is the person, $2 the caller, $3 the labels, $4 the present moment. */
const listed = `i.box <> 'inbox' and i.closed_at is null and (i.expires is null or i.expires > $4::timestamptz)`;
const own = `i.owner = $1::uuid and i.holder is null`;
const held = `i.holder = $2::uuid and i.holder is not null`;

/**
 * The newest first; of an item with several parts the first is read. Each label of the owner and of the holder is read from
 * its own part of an index, so that a page costs the same however much waits.
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
 * @param atDoor whether a person settles also what waits at their own front door
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

/** The items that wait for the viewer: in the inboxes of both, and in the requests; counted up to `most` of each. */
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
    // An ask to an AI is listed for all who act for its person, and counted for that AI: it answers by itself.
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
  /** Stands at that AI's front door. */
  door: `i.holder = $1::uuid and i.box = 'front_door'`,
  /** Stands at a front door of that person's. */
  doors: `i.owner = $1::uuid and i.box = 'front_door'`,
  /** Is addressed to that AI. */
  asked: `i.subject = $1::uuid`,
  /** A message to that AI; or one of the AI's former owner $2, from before items named the AI. */
  hands: `i.kind = 'message' and (i.subject = $1::uuid or i.owner = $2::uuid and i.subject is null)`,
  /** Is that person's, or waits at them for another. */
  person: `(i.owner = $1::uuid or i.holder = $1::uuid)`,
  /** Waits at a guardian of that child, or at those who were. */
  child: `(i.owner = $1::uuid and i.holder is not null and i.box <> 'front_door' or i.subject = $1::uuid)`,
  /** The same as of a person, from the sender $2 or an AI of theirs. */
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
