import { type Db, fragment, named, type Tx } from '@hearth/db';
import { touchSql } from '@hearth/outbound';
import type { ItemType } from '../domain/item-types.ts';
import type { LogEnd } from './logs.ts';

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
  /** As it is sent. */
  item: string;
  expiresAt: Date;
  createdAt: Date;
  sentAt: Date | null;
  settledAt: Date | null;
  why: string | null;
}

const columns = fragment`
  home, epoch, seq, event, id, rev, type, service, kid, item, expires_at as "expiresAt", created_at as "createdAt",
  sent_at as "sentAt", settled_at as "settledAt", why`;

/** uuids of the events that were numbered already. */
export async function findNumbered(tx: Tx, home: string, events: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ event: string }>(named('federation_find_numbered')`
    select event from federation.sent_items where home = ${home} and event = any(${events}::uuid[])`);
  return new Set(rows.map(({ event }) => event));
}

/** Those of these ids that have a number in the log of that home. */
export async function findNumberedIds(db: Db, home: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(named('federation_find_numbered_ids')`
    select distinct id from federation.sent_items where home = ${home} and id = any(${ids}::text[])`);
  return new Set(rows.map(({ id }) => id));
}

const given = `
  unnest($1::text[], $2::bigint[], $3::bigint[], $4::uuid[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[], $14::timestamptz[], $15::text[]) as given (
    home, epoch, seq, event, id, rev, type, service, kid, item, expires_at, created_at, sent_at, settled_at, why)`;

const insert = `
  insert into federation.sent_items (home, epoch, seq, event, id, rev, type, service, kid, item, expires_at, created_at,
    sent_at, settled_at, why)`;

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
    items.map(({ sentAt }) => sentAt),
    items.map(({ settledAt }) => settledAt),
    items.map(({ why }) => why),
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

/** Items for a log that ends there. */
export interface Append {
  home: string;
  end: LogEnd;
  items: readonly SentItem[];
}

/**
 * Appends items to logs that end there, and makes them due; answers the homes of these. Nothing is written for one that ends
 * elsewhere by now, or has one of its items: each append moves the end, so that of two at once the second finds it moved.
 */
export async function appendSent(tx: Tx, appends: readonly Append[], now: Date): Promise<Set<string>> {
  const found = await tx.query<{ home: string }>({
    name: 'federation_append_sent',
    text: `
      with given as (select * from ${given}),
      ends as (
        select * from unnest($16::text[], $17::bigint[], $18::bigint[], $19::int[]) as ends (home, epoch, last_seq, count)
        where not exists (
          select from given join federation.sent_items i on i.home = given.home and i.event = given.event
          where given.home = ends.home)),
      held as (
        select home from federation.logs join ends using (home, epoch, last_seq)
        order by home for update of logs),
      moved as (
        update federation.logs l set last_seq = l.last_seq + ends.count, due_at = coalesce(l.due_at, $20)
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

/** The bounds of a push. */
export interface MostOfPush {
  items: number;
  bytes: number;
  itemBytes: number;
}

/**
 * The items of the next push, in order; those that go as they are count as sent from now on. Null where the log is to begin a
 * new epoch first.
 */
export async function takeOpen(
  tx: Tx,
  home: string,
  most: MostOfPush,
  now: Date,
): Promise<SentItem[] | null> {
  const rows = await tx.query<SentItem & { renews: boolean }>(named('federation_take_open')`
    with log as (
      select settled_seq < one_by_one as alone, coalesce(renew_at <= ${now}, false) as renews
      from federation.logs where home = ${home}),
    open as (
      select epoch, seq, sum(octet_length(item) + 1) over (order by epoch, seq) as bytes
      from (
        select epoch, seq, item from federation.sent_items
        where home = ${home} and settled_at is null and not (select renews from log)
        order by epoch, seq limit (select case when alone then 1 else ${most.items}::int end
          from log)) as first),
    marked as (
      update federation.sent_items i set sent_at = ${now} from open o
      where i.home = ${home} and i.epoch = o.epoch and i.seq = o.seq and i.sent_at is null
        and (i.expires_at > ${now} or i.type = 'skip') and octet_length(i.item) <= ${most.itemBytes}
        and (o.bytes <= ${most.bytes} or o.bytes = octet_length(i.item) + 1))
    select renews, i.* from log left join (
      select ${columns} from open join federation.sent_items using (epoch, seq)
        where home = ${home}) i on true
    order by epoch, seq`);
  if (rows[0]?.renews) return null;
  return rows.filter(({ seq }) => seq !== null).map(({ renews: _, ...item }) => item);
}

/** All that waits, in order. */
export async function listOpen(db: Db, home: string, limit: number): Promise<SentItem[]> {
  return await db.query<SentItem>(named('federation_list_open')`
    select ${columns} from federation.sent_items
    where home = ${home} and settled_at is null order by epoch, seq limit ${limit}`);
}

/** Items of one epoch after a number, settled or not. */
export async function listSince(
  db: Db,
  { home, epoch, after, limit }: { home: string; epoch: number; after: number; limit: number },
): Promise<SentItem[]> {
  return await db.query<SentItem>(named('federation_list_since')`
    select ${columns} from federation.sent_items
    where home = ${home} and epoch = ${epoch} and seq > ${after} order by seq limit ${limit}`);
}

/** Notes that the other home fetches the items of one epoch after a number: they count as sent. */
export async function markFetched(
  tx: Tx,
  { home, epoch, after, limit }: { home: string; epoch: number; after: number; limit: number },
  now: Date,
): Promise<void> {
  await tx.execute(named('federation_mark_fetched')`
    update federation.sent_items set sent_at = ${now}
    where home = ${home} and epoch = ${epoch} and seq > ${after} and seq <= ${after} + ${limit}::bigint
      and sent_at is null`);
}

/** The highest number of that epoch which was sent or fetched; 0 without any. */
export async function lastHandedOut(db: Db, home: string, epoch: number): Promise<number> {
  const row = await db.maybeOne<{ seq: number }>(named('federation_last_handed_out')`
    select seq from federation.sent_items
    where home = ${home} and epoch = ${epoch} and sent_at is not null order by seq desc limit 1`);
  return row?.seq ?? 0;
}

/** Items of an object that wait and were never sent. */
export async function listUnsentOf(tx: Tx, home: string, id: string): Promise<SentItem[]> {
  return await tx.query<SentItem>(named('federation_list_unsent_of')`
    select ${columns} from federation.sent_items
    where home = ${home} and id = ${id} and sent_at is null and settled_at is null`);
}

export async function deleteSent(tx: Tx, items: readonly SentItem[]): Promise<void> {
  await tx.execute(named('federation_delete_sent')`
    delete from federation.sent_items i using unnest(${items.map(({ home }) => home)}::text[],
      ${items.map(({ epoch }) => epoch)}::bigint[], ${items.map(({ seq }) => seq)}::bigint[])
      as d (home, epoch, seq)
    where i.home = d.home and i.epoch = d.epoch and i.seq = d.seq`);
}

export async function settleSent(
  tx: Tx,
  home: string,
  epoch: number,
  settled: readonly { seq: number; why: string | null }[],
  now: Date,
): Promise<void> {
  await tx.execute(named('federation_settle_sent')`
    update federation.sent_items i set settled_at = ${now}, why = s.why
    from unnest(${settled.map(({ seq }) => seq)}::bigint[], ${settled.map(({ why }) => why)}::text[])
      as s (seq, why)
    where i.home = ${home} and i.epoch = ${epoch} and i.seq = s.seq`);
}

/** The act that this home sent there, by its id. */
export async function findAct(db: Db, home: string, id: string): Promise<{ service: string } | null> {
  return await db.maybeOne<{ service: string }>(named('federation_find_act')`
    select service from federation.sent_items where home = ${home} and id = ${id} and type = 'act'
    order by epoch desc limit 1`);
}

export async function purgeSent(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute(named('federation_purge_sent')`
    delete from federation.sent_items where (home, epoch, seq) in (
      select home, epoch, seq from federation.sent_items where settled_at < ${before} limit ${limit})`);
}
