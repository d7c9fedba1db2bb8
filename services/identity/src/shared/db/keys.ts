import { type Db, type Fragment, fragment, named, sql, type Tx } from '@hearth/db';

export interface KeyRow {
  prefix: string;
  createdAt: Date;
  /** When it stops working; null if never. */
  endsAt: Date | null;
  /** YYYY-MM-DD in UTC. */
  lastUsedOn: string | null;
}

export interface NewKey {
  /** uuid */
  id: string;
  ai: string;
  hash: Buffer;
  prefix: string;
  /**
   * uuid of the person or app that requested the key; null for the AI itself, and for the key that came with
   * the AI's creation.
   */
  madeBy: string | null;
  /** uuid of the app through which the key was requested; null if none. */
  through: string | null;
}

export async function insertKey(tx: Tx, key: NewKey, now: Date): Promise<void> {
  await tx.execute(named('identity_insert_key')`
    insert into identity.keys (id, ai, hash, prefix, made_by, through, created_at)
    values (${key.id}, ${key.ai}, ${key.hash}, ${key.prefix}, ${key.madeBy}, ${key.through}, ${now})`);
}

/** Stores a key of an app's own. */
export async function insertAppKey(
  tx: Tx,
  key: Pick<NewKey, 'id' | 'hash' | 'prefix'> & { app: string },
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into identity.app_keys (id, app, hash, prefix, created_at)
    values (${key.id}, ${key.app}, ${key.hash}, ${key.prefix}, ${now})`);
}

/** The AI or app (uuid) with the keys. */
export type KeyHolder = { ai: string } | { app: string };

const tableOf = (holder: KeyHolder) =>
  'ai' in holder
    ? { keys: fragment`identity.keys`, theirs: fragment`ai = ${holder.ai}` }
    : { keys: fragment`identity.app_keys`, theirs: fragment`app = ${holder.app}` };

/** A holder's keys, newest first. */
export async function listKeys(db: Db, holder: KeyHolder, limit: number): Promise<KeyRow[]> {
  const { keys, theirs } = tableOf(holder);
  return await db.query<KeyRow>(sql`
    select prefix, created_at as "createdAt", ends_at as "endsAt", last_used_on as "lastUsedOn"
    from ${keys} where ${theirs} order by created_at desc, id desc limit ${limit}`);
}

export async function isLiveKey(db: Db, holder: KeyHolder, hash: Buffer, now: Date): Promise<boolean> {
  const { keys, theirs } = tableOf(holder);
  const row = await db.maybeOne(sql`
    select 1 as live from ${keys} where ${theirs} and hash = ${hash} and (ends_at is null or ends_at > ${now})`);
  return row !== null;
}

export async function countLiveKeys(db: Db, holder: KeyHolder, now: Date): Promise<number> {
  const { keys, theirs } = tableOf(holder);
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) from ${keys} where ${theirs} and (ends_at is null or ends_at > ${now})`);
  return count;
}

/** Ends keys at a moment; keys that end earlier are unchanged. */
async function endWhere(tx: Tx, keys: Fragment, theirs: Fragment, at: Date): Promise<void> {
  await tx.execute(sql`
    update ${keys} set ends_at = ${at} where ${theirs} and (ends_at is null or ends_at > ${at})`);
}

/** Ends all keys at a moment; keys that end earlier are unchanged. */
export async function endKeys(tx: Tx, holder: KeyHolder, at: Date): Promise<void> {
  const { keys, theirs } = tableOf(holder);
  await endWhere(tx, keys, theirs, at);
}

/** Ends the keys that others requested for the AI. */
export async function endKeysMadeByOthers(tx: Tx, ai: string, at: Date): Promise<void> {
  const { keys, theirs } = tableOf({ ai });
  await endWhere(tx, keys, fragment`${theirs} and made_by is not null`, at);
}

/** Ends the AIs' keys that these people and apps requested, or that were requested through these apps. */
export async function endKeysMadeBy(
  tx: Tx,
  ais: readonly string[],
  makers: readonly string[],
  at: Date,
): Promise<void> {
  const theirs = fragment`ai = any(${ais}) and (made_by = any(${makers}) or through = any(${makers}))`;
  await endWhere(tx, fragment`identity.keys`, theirs, at);
}

/** The keys of these AIs that work at `now`, newest first. */
export async function listLiveKeys(
  db: Db,
  ais: readonly string[],
  now: Date,
): Promise<(KeyRow & { ai: string })[]> {
  return await db.query(sql`
    select ai, prefix, created_at as "createdAt", ends_at as "endsAt", last_used_on as "lastUsedOn"
    from identity.keys where ai = any(${ais}) and (ends_at is null or ends_at > ${now})
    order by created_at desc, id desc`);
}
