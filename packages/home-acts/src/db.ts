import { type Db, fragment, lockName, named, raw, type Tx } from '@hearth/db';
import type { JsonObject } from '@hearth/signing';

/** A row of `home_acts`. */
export interface SentAct {
  /** uuid */
  id: string;
  /** The home of the thing. */
  home: string;
  /** r:<home>:<id> */
  object: string;
  operation: string;
  /** uuid of the person or AI that acts. */
  actor: string;
  /** SHA-256 over the operation and its request. */
  digest: Buffer;
  kept: JsonObject;
  /** The HTTP status of the result; null while pending. */
  status: number | null;
  /** JSON */
  error: string | null;
  answer: string | null;
}

/** The status of an act that did not reach its home; no home can answer it. */
export const notReached = 0;

const columns = fragment`id, home, object, operation, actor, digest, kept, status, error, answer`;
const tableOf = (schema: string) => raw(`${schema}.home_acts`);

export async function insertAct(tx: Tx, schema: string, act: SentAct, at: Date): Promise<void> {
  const { id, home, object, operation, actor, digest, kept } = act;
  await tx.execute(named(`${schema}_insert_home_act`)`
    insert into ${tableOf(schema)} (id, home, object, operation, actor, digest, kept, created_at)
    values (${id}, ${home}, ${object}, ${operation}, ${actor}, ${digest}, ${JSON.stringify(kept)}::jsonb,
      ${at})`);
}

export async function findAct(db: Db, schema: string, id: string): Promise<SentAct | null> {
  return await db.maybeOne<SentAct>(named(`${schema}_find_home_act`)`
    select ${columns} from ${tableOf(schema)} where id = ${id}`);
}

/**
 * Returns the party's pending act on a thing with that digest, or null; no other process can send one until
 * the transaction ends.
 */
export async function lockPendingAct(
  tx: Tx,
  schema: string,
  { object, actor, digest }: Pick<SentAct, 'object' | 'actor' | 'digest'>,
): Promise<SentAct | null> {
  await lockName(tx, `acts of ${actor} on ${object}`);
  return await tx.maybeOne<SentAct>(named(`${schema}_find_pending_home_act`)`
    select ${columns} from ${tableOf(schema)}
    where object = ${object} and actor = ${actor} and digest = ${digest} and status is null limit 1`);
}

/** Whether one of these parties (uuids), or an AI for one of them, has a pending act on a thing. */
export async function hasPendingAct(
  db: Db,
  schema: string,
  object: string,
  actors: readonly string[],
): Promise<boolean> {
  const row = await db.maybeOne<{ found: boolean }>(named(`${schema}_has_pending_home_act`)`
    select true as found from ${tableOf(schema)}
    where object = ${object} and status is null
      and (actor = any(${actors}::uuid[]) or kept->>'viewer' = any(${actors}::text[])) limit 1`);
  return row !== null;
}

/**
 * Returns the answer to the last act with that operation that was sent to a thing for a viewer (uuid, in
 * `kept`); null if there is none.
 */
export async function findLastAnswer(
  db: Db,
  schema: string,
  { object, operation, viewer }: { object: string; operation: string; viewer: string },
): Promise<string | null> {
  const row = await db.maybeOne<{ answer: string | null }>(named(`${schema}_find_last_answer`)`
    select answer from ${tableOf(schema)}
    where object = ${object} and operation = ${operation} and kept->>'viewer' = ${viewer} and answer is not null
    order by settled_at desc limit 1`);
  return row?.answer ?? null;
}

/** Selects acts by operation and by (part of) what was kept with them. */
export interface ActKept {
  operation: string;
  kept: JsonObject;
}

/**
 * Returns for each selector whether such an act was sent to a thing. Acts from before requests were kept have
 * no `request`, and are compared without it.
 */
export async function haveSent(
  db: Db,
  schema: string,
  object: string,
  acts: readonly ActKept[],
): Promise<boolean[]> {
  if (acts.length === 0) return [];
  const rows = await db.query<{ found: boolean }>(named(`${schema}_have_sent_home_acts`)`
    select exists (
      select from ${tableOf(schema)} a where a.object = ${object} and a.operation = w.operation
        and a.kept @> case when a.kept ? 'request' then w.kept else w.kept - 'request' end) as found
    from unnest(${acts.map(({ operation }) => operation)}::text[],
      ${acts.map(({ kept }) => JSON.stringify(kept))}::jsonb[]) with ordinality as w (operation, kept, nth)
    order by w.nth`);
  return rows.map(({ found }) => found);
}

/** A remote thing, by its reference and by its id there. */
export interface Made {
  reference: string;
  id: string;
}

/**
 * Returns the act that created a remote thing; null if none can have: an act that created another thing, or
 * was refused, did not.
 */
export async function findMaker(
  db: Db,
  schema: string,
  object: string,
  { operation, kept }: ActKept,
  { id, reference }: Made,
): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(named(`${schema}_find_making_act`)`
    select id from ${tableOf(schema)}
    where object = ${object} and operation = ${operation} and kept @> ${JSON.stringify(kept)}::jsonb
      and coalesce(kept->>'made', ${reference}) = ${reference}
      and (status is null or status < 300 or status >= 500)
      and coalesce(answer::jsonb->>'id', ${id}) in (${id}, ${reference})
    order by kept->>'made' nulls last, created_at limit 1`);
  return row?.id ?? null;
}

/** Records what an act (uuid) created; false if another thing was recorded for it. */
export async function noteMade(tx: Tx, schema: string, act: string, reference: string): Promise<boolean> {
  const count = await tx.execute(named(`${schema}_note_made_by_act`)`
    update ${tableOf(schema)} set kept = kept || jsonb_build_object('made', ${reference}::text)
    where id = ${act} and coalesce(kept->>'made', ${reference}) = ${reference}`);
  return count > 0;
}

/** An act of a viewer (uuid), as a statement of theirs. */
export interface SentWord {
  operation: string;
  viewer: string;
  request: JsonObject;
  byAi: boolean;
  /** The acting address; null if it was not kept. */
  from: string | null;
  /** The HTTP status of the result; null while pending. */
  status: number | null;
  /** The thing's revision after the act, from the answer; null if the answer has none. */
  revision?: number | null;
  /** The instant at which it was sent; absent for acts that were stored with a copy before this field existed. */
  at?: string;
}

/** Returns acts of these viewers on a thing, oldest first, except acts from before requests were kept. */
export async function findWords(
  db: Db,
  schema: string,
  object: string,
  viewers: readonly string[],
): Promise<SentWord[]> {
  if (viewers.length === 0) return [];
  return await db.query<SentWord>(named(`${schema}_find_sent_words`)`
    select operation, kept->>'viewer' as viewer, kept->'request' as request, kept->>'from' as "from",
      actor::text <> kept->>'viewer' as "byAi", status,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      case when jsonb_typeof(answer::jsonb->'revision') = 'number' then (answer::jsonb->>'revision')::float8 end as revision
    from ${tableOf(schema)}
    where object = ${object} and kept->>'viewer' = any(${viewers}::text[]) and kept ? 'request'
    order by created_at, id`);
}

/** Stores the first result of an act. @param result its home, or null for any */
export async function settleAct(
  tx: Tx,
  schema: string,
  result: Pick<SentAct, 'id' | 'error' | 'answer'> & { home: string | null; status: number; at: Date },
): Promise<SentAct | null> {
  const { id, home, status, error, answer, at } = result;
  return await tx.maybeOne<SentAct>(named(`${schema}_settle_home_act`)`
    update ${tableOf(schema)}
    set status = ${status}, error = ${error}, answer = ${answer}, settled_at = ${at}
    where id = ${id} and status is null and home = coalesce(${home}, home) returning ${columns}`);
}

/** Ends a home's pending acts: they get no result. */
export async function endActsOf(tx: Tx, schema: string, home: string, before: Date, at: Date): Promise<void> {
  await tx.execute(named(`${schema}_end_acts_of_home`)`
    update ${tableOf(schema)} set status = ${notReached}, settled_at = ${at}
    where home = ${home} and status is null and created_at <= ${before}`);
}

/**
 * Deletes old acts.
 *
 * @param held whether the service has copies: acts on a held copy are kept, to prove what was said there
 */
export async function purgeActs(
  tx: Tx,
  schema: string,
  before: Date,
  held: { copies: boolean },
): Promise<void> {
  const old = fragment`a.created_at < ${before} and coalesce(a.settled_at, a.created_at) < ${before}`;
  if (held.copies)
    await tx.execute(named(`${schema}_purge_acts_without_copy`)`
      delete from ${tableOf(schema)} a where ${old} and not exists (
        select from ${raw(`${schema}.home_copies`)} c where c.reference = a.object)`);
  else await tx.execute(named(`${schema}_purge_home_acts`)`delete from ${tableOf(schema)} a where ${old}`);
}
