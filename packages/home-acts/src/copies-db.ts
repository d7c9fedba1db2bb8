import { type Db, fragment, named, raw, type Tx } from '@hearth/db';
import { mostOf, type PagePosition, placeValues } from '@hearth/paging';
import type { JsonObject } from '@hearth/signing';

/** A row of `home_copies`. */
export interface CopyRow {
  /** uuid */
  id: string;
  /** r:<home>:<id> */
  reference: string;
  kind: string;
  home: string;
  /** The rev of the last state received. */
  rev: number;
  /** As stated by its home. */
  object: JsonObject;
  status: string;
  final: boolean;
  started_at: Date;
  /** Notes that the kind stores with it. */
  notes: JsonObject;
}

/** A local party that may see a copy; only parties with a seat do. */
export interface CopySeat {
  /** uuid of a person, an AI or an app. */
  viewer: string;
  /** Whether the thing waits for the viewer. */
  waiting: boolean;
}

export interface CopiesListed {
  kind: string;
  /** uuids */
  viewers: readonly string[];
  status: string | null;
  waiting: boolean;
  /** Only copies of this group: its reference or full address, as the thing names it. */
  group?: string | null;
}

const columns = fragment`c.id, c.reference, c.kind, c.home, c.rev::float8 as rev, c.object, c.status, c.final, c.started_at, c.notes`;
const copies = (schema: string) => raw(`${schema}.home_copies`);
const seats = (schema: string) => raw(`${schema}.home_copy_seats`);

/** Returns the copy with this reference, if one of these viewers (uuids) has a seat. */
export async function findSeenCopy(
  db: Db,
  schema: string,
  reference: string,
  viewers: readonly string[],
): Promise<CopyRow | null> {
  return await db.maybeOne<CopyRow>(named(`${schema}_find_seen_copy`)`
    select ${columns} from ${copies(schema)} c where c.reference = ${reference} and exists (
      select from ${seats(schema)} s where s.copy = c.id and s.viewer = any(${viewers}::uuid[]))`);
}

/** Returns the reference of the copy that has this full address; null if there is none. */
export async function findAddressed(
  db: Db,
  schema: string,
  kind: string,
  address: string,
): Promise<string | null> {
  const row = await db.maybeOne<{ reference: string }>(named(`${schema}_find_addressed_copy`)`
    select c.reference from ${copies(schema)} c
    where c.kind = ${kind} and c.object->>'address' = ${address} order by c.received_at desc limit 1`);
  return row?.reference ?? null;
}

export async function findCopy(db: Db, schema: string, reference: string): Promise<CopyRow | null> {
  return await db.maybeOne<CopyRow>(named(`${schema}_find_copy`)`
    select ${columns} from ${copies(schema)} c where c.reference = ${reference}`);
}

export async function findCopies(db: Db, schema: string, ids: readonly string[]): Promise<CopyRow[]> {
  return await db.query<CopyRow>(named(`${schema}_find_copies`)`
    select ${columns} from ${copies(schema)} c where c.id = any(${ids}::uuid[])`);
}

/** Locks a copy until the end of the transaction. @param id uuid */
export async function lockCopy(tx: Tx, schema: string, id: string): Promise<CopyRow | null> {
  return await tx.maybeOne<CopyRow>(named(`${schema}_lock_copy`)`
    select ${columns} from ${copies(schema)} c where c.id = ${id} for update`);
}

export async function findCopySeats(db: Db, schema: string, id: string): Promise<CopySeat[]> {
  return await db.query<CopySeat>(named(`${schema}_find_copy_seats`)`
    select viewer, waiting from ${seats(schema)} where copy = ${id} order by viewer`);
}

/** Returns false if a copy with that reference exists. */
export async function insertCopy(tx: Tx, schema: string, row: CopyRow, at: Date): Promise<boolean> {
  const { id, reference, kind, home, rev, object, status, final, started_at, notes } = row;
  const count = await tx.execute(named(`${schema}_insert_copy`)`
    insert into ${copies(schema)}
      (id, reference, kind, home, rev, object, status, final, started_at, notes, received_at)
    values (${id}, ${reference}, ${kind}, ${home}, ${rev}, ${JSON.stringify(object)}::jsonb, ${status}, ${final},
      ${started_at}, ${JSON.stringify(notes)}::jsonb, ${at})
    on conflict (reference) do nothing`);
  return count > 0;
}

export async function updateCopy(tx: Tx, schema: string, row: CopyRow): Promise<void> {
  const { id, rev, object, status, final, notes } = row;
  await tx.execute(named(`${schema}_update_copy`)`
    update ${copies(schema)} set rev = ${rev}, object = ${JSON.stringify(object)}::jsonb, status = ${status},
      final = ${final}, notes = ${JSON.stringify(notes)}::jsonb
    where id = ${id}`);
}

/** Replaces a copy's seats: viewers that are not given lose theirs. */
export async function putCopySeats(
  tx: Tx,
  schema: string,
  { id, kind, started_at, status }: CopyRow,
  given: readonly CopySeat[],
): Promise<void> {
  await tx.execute(named(`${schema}_put_copy_seats`)`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as s (viewer uuid, waiting boolean)),
    seated as (
      insert into ${seats(schema)} (copy, viewer, kind, started_at, status, waiting)
      select ${id}, g.viewer, ${kind}, ${started_at}, ${status}, g.waiting from given g
      on conflict (copy, viewer) do update set status = excluded.status, waiting = excluded.waiting)
    delete from ${seats(schema)} where copy = ${id} and viewer not in (select viewer from given)`);
}

/** Marks a thing as no longer waiting for these viewers (uuids), until the next state corrects it. */
export async function endWaiting(
  tx: Tx,
  schema: string,
  reference: string,
  viewers: readonly string[],
): Promise<void> {
  await tx.execute(named(`${schema}_end_waiting_for_copy`)`
    update ${seats(schema)} set waiting = false
    where viewer = any(${viewers}::uuid[]) and waiting
      and copy = (select id from ${copies(schema)} where reference = ${reference})`);
}

export async function deleteCopy(tx: Tx, schema: string, id: string): Promise<void> {
  await tx.execute(named(`${schema}_delete_copy`)`delete from ${copies(schema)} where id = ${id}`);
}

/** Returns the copies of a kind at which one of these viewers has a seat, newest first. */
export async function listCopies(
  db: Db,
  schema: string,
  { kind, viewers, status, waiting, group = null }: CopiesListed,
  after: PagePosition | null,
  limit: number,
): Promise<CopyRow[]> {
  const [at, id] = placeValues(after);
  const most = mostOf(limit);
  const rows = await db.query<CopyRow>(named(`${schema}_list_copies_${most}`)`
    select distinct on (s.started_at, s.copy) ${columns}
    from ${seats(schema)} s join ${copies(schema)} c on c.id = s.copy
    where s.viewer = any(${viewers}::uuid[]) and s.kind = ${kind} and (${status}::text is null or s.status = ${status})
      and (not ${waiting}::boolean or s.waiting) and (s.started_at, s.copy) < (${at}::timestamptz, ${id}::uuid)
      and (${group}::text is null
        or ${group} in (c.object->'group'->>'id', c.object->'group'->>'address', c.object->>'group'))
    order by s.started_at desc, s.copy desc limit ${raw(most)}`);
  return rows.slice(0, limit);
}

/** Returns how many copies of each kind wait for a viewer (uuid), and when the oldest was started. */
export async function countWaitingCopies(
  db: Db,
  schema: string,
  viewers: readonly string[],
): Promise<{ kind: string; count: number; oldest: Date }[]> {
  return await db.query(named(`${schema}_count_waiting_copies`)`
    select kind, count(distinct copy)::int as count, min(started_at) as oldest from ${seats(schema)}
    where waiting and viewer = any(${viewers}::uuid[]) group by kind`);
}

/** Ends a home's copies: they become final and wait for no one; kinds in `gone` are deleted. */
export async function endCopiesOf(
  tx: Tx,
  schema: string,
  home: string,
  gone: readonly string[],
  before: Date,
): Promise<void> {
  await tx.execute(named(`${schema}_delete_copies_of_home`)`
    delete from ${copies(schema)} where home = ${home} and kind = any(${gone}::text[]) and received_at <= ${before}`);
  await tx.execute(named(`${schema}_end_waiting_for_home`)`
    update ${seats(schema)} set waiting = false
    where waiting and copy in (
      select id from ${copies(schema)} where home = ${home} and received_at <= ${before})`);
  await tx.execute(named(`${schema}_end_copies_of_home`)`
    update ${copies(schema)} set final = true
    where home = ${home} and not final and received_at <= ${before}`);
}

/** Removes these viewers' (uuids) seats from one copy (uuid), or from every copy. */
export async function unseat(
  tx: Tx,
  schema: string,
  viewers: readonly string[],
  copy: string | null = null,
): Promise<void> {
  await tx.execute(named(`${schema}_unseat_from_copies`)`
    delete from ${seats(schema)}
    where viewer = any(${viewers}::uuid[]) and (${copy}::uuid is null or copy = ${copy})`);
}

/** Deletes at most `limit` copies that were received before `before` and have no seats. Returns how many. */
export async function deleteUnseen(tx: Tx, schema: string, before: Date, limit: number): Promise<number> {
  return await tx.execute(named(`${schema}_delete_unseen_copies`)`
    delete from ${copies(schema)} where id in (
      select c.id from ${copies(schema)} c
      where c.received_at < ${before} and not exists (select from ${seats(schema)} s where s.copy = c.id)
      limit ${limit} for update skip locked)`);
}

/** Deletes at most `limit` copies beyond the newest `most` of each home and kind. Returns how many. */
export async function deleteBeyond(tx: Tx, schema: string, most: number, limit: number): Promise<number> {
  return await tx.execute(named(`${schema}_delete_copies_beyond`)`
    delete from ${copies(schema)} where id in (
      select id from (
        select id, row_number() over (partition by home, kind order by started_at desc, id desc) as place
        from ${copies(schema)}) placed
      where place > ${most} limit ${limit})`);
}
