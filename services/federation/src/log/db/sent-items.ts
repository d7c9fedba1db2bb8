import { type Db, fragment, named, type Tx } from '@hearth/db';
import { touchSql } from '@hearth/outbound';
import type { ItemType } from '../domain/item-types.ts';
import type { LogEnd, LogRow } from './logs.ts';

export interface SentItem {
  home: string;
  epoch: number;
  seq: number;
  /** uuid */
  event: string;
  id: string;
  rev: number;
  type: ItemType;
  service: string;
  kid: string;
  /** As sent, in JSON. */
  item: string;
  expiresAt: Date;
  createdAt: Date;
}

/** The part of a log that determines which items are open. */
type LogPosition = Pick<LogRow, 'home' | 'epoch' | 'settledSeq'>;

const columns = fragment`
  home, epoch, seq, event, id, rev, type, service, kid, item, expires_at as "expiresAt", created_at as "createdAt"`;

/** Returns the events (uuids) that already have a number. */
export async function findNumbered(tx: Tx, home: string, events: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ event: string }>(named('federation_find_numbered')`
    select event from federation.sent_items where home = ${home} and event = any(${events}::uuid[])`);
  return new Set(rows.map(({ event }) => event));
}

/** Returns the ids among these that have a number in the home's log. */
export async function findNumberedIds(db: Db, home: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(named('federation_find_numbered_ids')`
    select distinct id from federation.sent_items where home = ${home} and id = any(${ids}::text[])`);
  return new Set(rows.map(({ id }) => id));
}

const given = `
  unnest($1::text[], $2::bigint[], $3::bigint[], $4::uuid[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::timestamptz[], $12::timestamptz[]) as given (
    home, epoch, seq, event, id, rev, type, service, kid, item, expires_at, created_at)`;

const insert = `
  insert into federation.sent_items (home, epoch, seq, event, id, rev, type, service, kid, item, expires_at, created_at)`;

function givenValues(items: readonly SentItem[]): unknown[] {
  return [
    items.map(({ home }) => home),
    items.map(({ epoch }) => epoch),
    items.map(({ seq }) => seq),
    items.map(({ event }) => event),
    items.map(({ id }) => id),
    items.map(({ rev }) => rev),
    items.map(({ type }) => type),
    items.map(({ service }) => service),
    items.map(({ kid }) => kid),
    items.map(({ item }) => item),
    items.map(({ expiresAt }) => expiresAt),
    items.map(({ createdAt }) => createdAt),
  ];
}

export async function insertSent(tx: Tx, items: readonly SentItem[]): Promise<void> {
  if (items.length === 0) return;
  await tx.execute({
    name: 'federation_insert_sent',
    text: `${insert} select * from ${given}`,
    values: givenValues(items),
  });
}

/** Items to append to a log with a known end. */
export interface Append {
  home: string;
  end: LogEnd;
  items: readonly SentItem[];
}

/**
 * Appends items to logs with a known end, and makes the logs due; returns their homes. Skips a log that has
 * moved, or already holds one of the items: each append moves the end, so of two concurrent appends the
 * second is skipped.
 */
export async function appendSent(tx: Tx, appends: readonly Append[], now: Date): Promise<Set<string>> {
  const found = await tx.query<{ home: string }>({
    name: 'federation_append_sent',
    text: `
      with given as (select * from ${given}),
      ends as (
        select * from unnest($13::text[], $14::bigint[], $15::bigint[], $16::int[]) as ends (home, epoch, last_seq, count)
        where not exists (
          select from given join federation.sent_items i on i.home = given.home and i.event = given.event
          where given.home = ends.home)),
      held as (
        select home from federation.logs join ends using (home, epoch, last_seq)
        order by home for update of logs),
      moved as (
        update federation.logs l set last_seq = l.last_seq + ends.count, ours = true, due_at = coalesce(l.due_at, $17)
        from ends join held using (home)
        where l.home = ends.home and l.epoch = ends.epoch and l.last_seq = ends.last_seq
        returning l.home, l.destination, l.due_at),
      written as (${insert} select * from given where home in (select home from moved)),
      touched as (${touchSql('federation', 'select 1::smallint, destination, due_at from moved order by destination')})
      select home from moved`,
    values: [
      ...givenValues(appends.flatMap(({ items }) => items)),
      appends.map(({ home }) => home),
      appends.map(({ end }) => end.epoch),
      appends.map(({ end }) => end.lastSeq),
      appends.map(({ items }) => items.length),
      now,
    ],
  });
  return new Set(found.map(({ home }) => home));
}

/** The home that a push goes to, and the limits of the push. */
export interface PushAsked {
  home: string;
  items: number;
  bytes: number;
}

/** An unsettled item. */
export interface OpenItem extends SentItem {
  /** Whether it was sent or fetched before. */
  handed: boolean;
}

/**
 * Returns the items of the next pushes by home, in order, and records them as handed out. Null if the log
 * must begin a new epoch first.
 */
export async function takeOpen(
  tx: Tx,
  asked: readonly PushAsked[],
  now: Date,
): Promise<Map<string, OpenItem[] | null>> {
  type Row = OpenItem & { of: string; renews: boolean };
  const rows = await tx.query<Row>(named('federation_take_open')`
    with log as (
      select l.home as of, l.epoch, settled_seq, handed_seq, settled_seq < one_by_one as alone,
        coalesce(renew_at <= ${now}, false) as renews, most.items, most.bytes
      from federation.logs l
      join unnest(${asked.map(({ home }) => home)}::text[], ${asked.map(({ items }) => items)}::int[],
        ${asked.map(({ bytes }) => bytes)}::bigint[]) as most (home, items, bytes) using (home)),
    first as (
      select log.of, bytes, waiting.*, sum(octet_length(item) + 1) over (partition by log.of order by seq) as size
      from log cross join lateral (
        select ${columns} from federation.sent_items
        where home = log.of and epoch = log.epoch and seq > log.settled_seq and not log.renews
        order by seq limit case when log.alone then 1 else log.items end) as waiting),
    open as (select * from first where size <= bytes or size = octet_length(item) + 1),
    held as (
      select home, o.seq from federation.logs l join (select of, max(seq) as seq from open group by of) o on o.of = l.home
      where l.handed_seq < o.seq order by home for update of l),
    handed as (update federation.logs l set handed_seq = held.seq from held where l.home = held.home)
    select renews, open.*, log.of, seq <= handed_seq as handed from log left join open on open.of = log.of order by seq`);
  const byHome = Map.groupBy(rows, ({ of }) => of);
  return new Map(
    [...byHome].map(([home, of]) => {
      const items = of.filter(({ seq }) => seq !== null).map(({ renews: _, of: __, ...item }) => item);
      return [home, of[0]!.renews ? null : items];
    }),
  );
}

/** Returns all unsettled items of a log, in order. */
export async function listOpen(db: Db, { home, epoch, settledSeq }: LogPosition): Promise<SentItem[]> {
  return await db.query<SentItem>(named('federation_list_open')`
    select ${columns} from federation.sent_items
    where home = ${home} and epoch = ${epoch} and seq > ${settledSeq} order by seq`);
}

/** An item, settled or not. */
export interface KeptItem extends SentItem {
  settled: boolean;
}

/** Returns items of a log's epoch after a number, settled or not. */
export async function listSince(
  db: Db,
  { home, epoch, settledSeq }: LogPosition,
  { after, limit }: { after: number; limit: number },
): Promise<KeptItem[]> {
  return await db.query<KeptItem>(named('federation_list_since')`
    select ${columns}, seq <= ${settledSeq}::bigint as settled from federation.sent_items
    where home = ${home} and epoch = ${epoch} and seq > ${after} order by seq limit ${limit}`);
}

/** Returns the unsettled items of an object that were never handed out. */
export async function listUnsentOf(
  tx: Tx,
  { home, epoch, settledSeq, handedSeq }: LogRow,
  id: string,
): Promise<SentItem[]> {
  return await tx.query<SentItem>(named('federation_list_unsent_of')`
    select ${columns} from federation.sent_items
    where home = ${home} and id = ${id} and epoch = ${epoch} and seq > ${Math.max(settledSeq, handedSeq)}`);
}

export async function deleteSent(tx: Tx, items: readonly SentItem[]): Promise<void> {
  await tx.execute(named('federation_delete_sent')`
    delete from federation.sent_items i using unnest(${items.map(({ home }) => home)}::text[],
      ${items.map(({ epoch }) => epoch)}::bigint[], ${items.map(({ seq }) => seq)}::bigint[])
      as d (home, epoch, seq)
    where i.home = d.home and i.epoch = d.epoch and i.seq = d.seq`);
}

/** Records when the items of an epoch up to a number were settled. */
export async function markSettled(
  tx: Tx,
  { home, epoch }: LogPosition,
  upTo: number,
  now: Date,
): Promise<void> {
  await tx.execute(named('federation_mark_settled')`
    update federation.sent_items set settled_at = ${now}
    where home = ${home} and epoch = ${epoch} and seq = ${upTo}`);
}

/** Returns the act with this id that this home sent there, even if it was lost and given back. */
export async function findAct(db: Db, home: string, id: string): Promise<{ service: string } | null> {
  return await db.maybeOne<{ service: string }>(named('federation_find_act')`
    select service from federation.sent_items where home = ${home} and id = ${id} and type = 'act'
    union select service from federation.returned_acts where home = ${home} and id = ${id}
    limit 1`);
}

/** Returns items as sent there, by the events (uuids) that caused them. */
export async function findItemsOf(
  db: Db,
  home: string,
  events: readonly string[],
): Promise<Map<string, string>> {
  if (events.length === 0) return new Map();
  const rows = await db.query<{ event: string; item: string }>(named('federation_find_items_of')`
    select event, item from federation.sent_items where home = ${home} and event = any(${events}::uuid[])`);
  return new Map(rows.map(({ event, item }) => [event, item]));
}

/** Deletes items settled before `before`. Returns how many. */
export async function purgeSent(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute(named('federation_purge_sent')`
    delete from federation.sent_items where (home, epoch, seq) in (
      select i.home, i.epoch, i.seq
      from (
        select home, epoch, max(seq) as seq from federation.sent_items where settled_at < ${before}
        group by home, epoch) old
      join federation.sent_items i on i.home = old.home and i.epoch = old.epoch and i.seq <= old.seq
      order by i.home, i.epoch, i.seq limit ${limit})`);
}
