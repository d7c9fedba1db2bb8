import { type Db, fragment, named, type Tx } from '@hearth/db';

/** A position in the log of another home. */
interface Position {
  epoch: number;
  seq: number;
}

export interface ReceivedItem {
  home: string;
  /** r:<home>:<id> */
  id: string;
  rev: number;
  type: string;
  service: string;
  digest: Buffer;
  /** JSON, while the item waits. */
  item: string | null;
  queued: boolean;
  dueAt: Date | null;
}

/** Returns the revs that are held of these items. */
export async function findHeld(db: Db, home: string, ids: readonly string[]) {
  type Held = { id: string; rev: number; type: string; service: string; digest: Buffer };
  return await db.query<Held>(named('federation_find_held')`
    select id, rev, type, service, digest from federation.received_items
    where home = ${home} and id = any(${ids}::text[])`);
}

/**
 * Everything needed to accept a push: the log's position, which of its items are held or erased, and the
 * services for which items wait in order.
 */
export interface KnownOfPush {
  inEpoch: number;
  inSeq: number;
  held: { id: string; rev: number; type: string; digest: Buffer }[];
  /** Hex of their hashes. */
  erased: string[];
  queued: string[];
  /** Whether this home has lost acts that it still has to request: items wait until it has them again. */
  losing: boolean;
  /** Whether no one here ever sent that home anything, and the operator did not decide about it. */
  isStranger: boolean;
}

export async function findKnown(
  db: Db,
  home: string,
  { ids, hashes, now }: { ids: readonly string[]; hashes: readonly Buffer[]; now: Date },
): Promise<KnownOfPush> {
  const { held, ...known } = await db.one<
    Omit<KnownOfPush, 'held'> & { held: { id: string; rev: number; type: string; digest: string }[] }
  >(named('federation_find_known')`
    select coalesce(l.in_epoch, 0) as "inEpoch", coalesce(l.in_seq, 0) as "inSeq",
      (select coalesce(json_agg(json_build_object(
          'id', id, 'rev', rev, 'type', type, 'digest', encode(digest, 'hex'))), '[]')
        from federation.received_items where home = ${home} and id = any(${ids}::text[])) as held,
      array(select encode(hash, 'hex') from federation.erased_ids
        where hash = any(${hashes}::bytea[]) and until > ${now}) as erased,
      array(select distinct service from federation.received_items
        where home = ${home} and item is not null and queued) as queued,
      l.lost_epoch is not null as losing,
      not coalesce(l.ours, false) and not exists (
        select from federation.homes where home = ${home} and policy is not null) as "isStranger"
    from (select) one left join federation.logs l on l.home = ${home}`);
  return { ...known, held: held.map((row) => ({ ...row, digest: Buffer.from(row.digest, 'hex') })) };
}

const insert = `
  insert into federation.received_items (home, id, rev, type, service, digest, item, queued, due_at, received_at)`;
const given = `
  unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bytea[], $7::text[], $8::boolean[],
    $9::timestamptz[]) with ordinality as given (home, id, rev, type, service, digest, item, queued, due_at, place)`;
const columns = 'given.home, id, rev, type, service, digest, item, queued, due_at, $10::timestamptz';

function givenValues(items: readonly ReceivedItem[], now: Date): unknown[] {
  return [
    items.map(({ home }) => home),
    items.map(({ id }) => id),
    items.map(({ rev }) => rev),
    items.map(({ type }) => type),
    items.map(({ service }) => service),
    items.map(({ digest }) => digest),
    items.map(({ item }) => item),
    items.map(({ queued }) => queued),
    items.map(({ dueAt }) => dueAt),
    now,
  ];
}

export async function insertReceived(tx: Tx, items: readonly ReceivedItem[], now: Date): Promise<void> {
  if (items.length === 0) return;
  await tx.execute({
    name: 'federation_insert_received',
    text: `${insert} select ${columns} from ${given} order by place on conflict (home, id, rev) do nothing`,
    values: givenValues(items, now),
  });
}

/**
 * Stores the items of a push and moves the position of the home's log, in one statement. Returns false, and
 * writes nothing, if the log has moved.
 */
export async function storePush(
  tx: Tx,
  home: string,
  { from, to }: { from: Position; to: Position },
  items: readonly ReceivedItem[],
  now: Date,
): Promise<boolean> {
  const found = await tx.query({
    name: 'federation_store_push',
    text: `
      with moved as (
        update federation.logs set in_epoch = $14, in_seq = $15
        where home = $11 and in_epoch = $12 and in_seq = $13 returning home),
      stored as (
        ${insert} select ${columns} from moved, ${given} order by place on conflict (home, id, rev) do nothing)
      select home from moved`,
    values: [...givenValues(items, now), home, from.epoch, from.seq, to.epoch, to.seq],
  });
  return found.length > 0;
}

export interface WaitingItem {
  home: string;
  id: string;
  rev: number;
  type: string;
  service: string;
  item: string;
  queued: boolean;
  attempts: number;
}

const waiting = fragment`home, id, rev, type, service, item, queued, attempts`;

export interface Claiming {
  now: Date;
  /** Until when no other process claims them. */
  until: Date;
  limit: number;
  /** The longest delay by attempts, in ms: a later due time was set before the clock was set back. */
  longestMs: readonly number[];
}

export const nextWaiting = fragment`
  select min(due_at) from federation.received_items where due_at is not null and item is not null`;

/** Claims due items for a time, in order. */
export async function claimWaiting(
  tx: Tx,
  { now, until, limit, longestMs }: Claiming,
): Promise<WaitingItem[]> {
  const longest = longestMs.map((milliseconds) => new Date(now.getTime() + milliseconds));
  const rows = await tx.query<WaitingItem & { number: number }>(named('federation_claim_waiting')`
    update federation.received_items set due_at = ${until}, attempts = attempts + 1
    where (home, id, rev) in (
      select home, id, rev from federation.received_items
      where (due_at <= ${now} or due_at > (${longest}::timestamptz[])[least(attempts + 1, ${longest.length}::int)])
        and item is not null order by number limit ${limit} for update skip locked)
    returning ${waiting}, number`);
  return rows.sort((one, other) => one.number - other.number);
}

export async function settleWaiting(tx: Tx, { home, id, rev }: WaitingItem): Promise<boolean> {
  const count = await tx.execute(named('federation_settle_waiting')`
    update federation.received_items set item = null, queued = false, due_at = null
    where home = ${home} and id = ${id} and rev = ${rev} and item is not null`);
  return count > 0;
}

export async function postponeWaiting(tx: Tx, { home, id, rev }: WaitingItem, queued: boolean, dueAt: Date) {
  await tx.execute(named('federation_postpone_waiting')`
    update federation.received_items set queued = ${queued}, due_at = ${dueAt}
    where home = ${home} and id = ${id} and rev = ${rev} and item is not null`);
}

export async function insertErased(tx: Tx, hashes: readonly Buffer[], until: Date): Promise<void> {
  if (hashes.length === 0) return;
  await tx.execute(named('federation_insert_erased')`
    insert into federation.erased_ids (hash, until) select distinct hash, ${until}::timestamptz
      from unnest(${hashes}::bytea[]) as hash
    on conflict (hash) do update set until = greatest(erased_ids.until, excluded.until)`);
}

/** Deletes the items of a home that was forgotten; waiting items are never decided. */
export async function forgetReceived(tx: Tx, home: string): Promise<void> {
  await tx.execute(named('federation_forget_received')`
    delete from federation.received_items where home = ${home}`);
}

/** Deletes at most `limit` items received before `before`. Returns how many. */
export async function purgeReceived(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute(named('federation_purge_received')`
    delete from federation.received_items where (home, id, rev) in (
      select home, id, rev from federation.received_items where received_at < ${before} limit ${limit})`);
}

/** `purgeReceived` for strangers: homes that no one here sent anything, and about which the operator did not decide. */
export async function purgeStrangersItems(tx: Tx, before: Date, limit: number): Promise<number> {
  return await tx.execute(named('federation_purge_strangers_items')`
    delete from federation.received_items where (home, id, rev) in (
      select r.home, r.id, r.rev from federation.received_items r
      where r.received_at < ${before}
        and not exists (select from federation.logs l where l.home = r.home and l.ours)
        and not exists (select from federation.homes h where h.home = r.home and h.policy is not null)
      limit ${limit})`);
}

export async function purgeErased(tx: Tx, now: Date): Promise<void> {
  await tx.execute(named('federation_purge_erased')`
    delete from federation.erased_ids where until <= ${now}`);
}
