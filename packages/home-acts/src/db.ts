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
  /** The HTTP status of its result; null until it came. */
  status: number | null;
  /** JSON */
  error: string | null;
  answer: string | null;
}

/** The status of an act that did not get to its home, which no home can give. */
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

/** The act with that digest which that party has on its way to a thing; null without one, and none is sent until the transaction ends. */
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

/** Whether one of these parties (uuids), or an AI for one of them, has an act on its way to a thing. */
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

/** The answer to the last act of that operation which was sent to a thing for a viewer (uuid, in `kept`); null without one. */
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

/** An act by its operation, and by what was kept with it: all of it, or a part. */
export interface ActKept {
  operation: string;
  kept: JsonObject;
}

/**
 * For each of these acts, whether such a one was sent to a thing. One that was sent before this was looked at keeps no `request`, and
 * is not compared by it.
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

/** A thing of another home, by its reference and by its id there. */
export interface Made {
  reference: string;
  id: string;
}

/**
 * The act that made a thing of another home; null where none can have: one that made another thing, or that was refused, made no
 * second one.
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

/** False where the act (uuid) made another thing meanwhile. */
export async function noteMade(tx: Tx, schema: string, act: string, reference: string): Promise<boolean> {
  const count = await tx.execute(named(`${schema}_note_made_by_act`)`
    update ${tableOf(schema)} set kept = kept || jsonb_build_object('made', ${reference}::text)
    where id = ${act} and coalesce(kept->>'made', ${reference}) = ${reference}`);
  return count > 0;
}

/** An act of a viewer (uuid), as they said something by it. */
export interface SentWord {
  operation: string;
  viewer: string;
  request: JsonObject;
  byAi: boolean;
  /** The address that acted; null where it was not kept. */
  from: string | null;
  /** The HTTP status of its result; null until it came. */
  status: number | null;
  /** The revision of the thing after it, as its home answered; null where it did not say. */
  revision?: number | null;
  /** When it was sent: an instant. An act that was kept with a copy before this was looked at has none. */
  at?: string;
}

/** Acts of these viewers on a thing, the oldest first; without those of before requests were kept. */
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

/** Stores the first result of an act. @param result its home, or null whichever it is */
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

/** Acts for that home get no result any more. */
export async function endActsOf(tx: Tx, schema: string, home: string, before: Date, at: Date): Promise<void> {
  await tx.execute(named(`${schema}_end_acts_of_home`)`
    update ${tableOf(schema)} set status = ${notReached}, settled_at = ${at}
    where home = ${home} and status is null and created_at <= ${before}`);
}

/** Deletes acts of before. @param held the copies of the service: acts on one that it still has say what was said there */
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
