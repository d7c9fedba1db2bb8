import { type Db, named, sql, type Tx } from '@hearth/db';

export interface KeyRow {
  prefix: string;
  createdAt: Date;
  /** When it stops working; null while it has no end. */
  endsAt: Date | null;
  /** YYYY-MM-DD (UTC) */
  lastUsedOn: string | null;
}

/** A key with the AI that it is of. */
export interface CredentialRow {
  hash: Buffer;
  endsAt: Date | null;
  /** uuid of the AI */
  ai: string;
  address: string;
  name: string;
  status: 'claimed' | 'vouched' | 'unclaimed';
  permissions: string[];
  owner: string | null;
  revokedAt: Date | null;
}

export interface NewKey {
  /** uuid */
  id: string;
  ai: string;
  hash: Buffer;
  prefix: string;
}

export async function insertKey(tx: Tx, key: NewKey, now: Date): Promise<void> {
  await tx.execute(
    named(
      'identity_insert_key',
      sql`
        insert into identity.keys (id, ai, hash, prefix, created_at)
        values (${key.id}, ${key.ai}, ${key.hash}, ${key.prefix}, ${now})`,
    ),
  );
}

/** The keys with these hashes, whether they still work or not. */
export async function findCredentials(db: Db, hashes: readonly Buffer[]): Promise<CredentialRow[]> {
  return await db.query<CredentialRow>({
    name: 'identity_find_credentials',
    text: `
      select k.hash, k.ends_at as "endsAt", k.ai, a.address, a.name, a.status, a.permissions, a.owner,
        a.revoked_at as "revokedAt"
      from identity.keys k join identity.ais a on a.id = k.ai
      where k.hash = any($1)`,
    values: [hashes],
  });
}

/** The keys of an AI, the newest first. */
export async function listKeys(db: Db, ai: string, limit: number): Promise<KeyRow[]> {
  return await db.query<KeyRow>(sql`
    select prefix, created_at as "createdAt", ends_at as "endsAt", last_used_on as "lastUsedOn"
    from identity.keys where ai = ${ai}
    order by created_at desc, id desc limit ${limit}`);
}

export async function countLiveKeys(db: Db, ai: string, now: Date): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) from identity.keys where ai = ${ai} and (ends_at is null or ends_at > ${now})`);
  return count;
}

/** Lets every key of an AI end at that moment, those that end before it as they would. */
export async function endKeys(tx: Tx, ai: string, at: Date): Promise<void> {
  await tx.execute(sql`
    update identity.keys set ends_at = ${at}
    where ai = ${ai} and (ends_at is null or ends_at > ${at})`);
}

/** Removes keys that ended before `moment`, at most `limit`; how many. Nobody is told any more why they end. */
export async function deleteKeysEndedBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  return await tx.execute(sql`
    delete from identity.keys
    where id in (select id from identity.keys where ends_at < ${moment} limit ${limit} for update skip locked)`);
}

export interface KeyUse {
  hash: Buffer;
  /** YYYY-MM-DD (UTC) */
  day: string;
}

/** Notes the day of the last use, for the keys where it is a later one. Each hash at most once. */
export async function updateLastUsed(tx: Tx, uses: readonly KeyUse[]): Promise<void> {
  await tx.execute({
    name: 'identity_update_last_used',
    text: `
      with used as (
        select k.id, u.day
        from unnest($1::bytea[], $2::date[]) as u (hash, day) join identity.keys k on k.hash = u.hash
        where k.last_used_on is distinct from u.day and (k.last_used_on is null or k.last_used_on < u.day)
        order by k.id for update of k)
      update identity.keys k set last_used_on = used.day from used where k.id = used.id`,
    values: [uses.map((use) => use.hash), uses.map((use) => use.day)],
  });
}
