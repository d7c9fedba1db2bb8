import { type Db, named, sql, type Tx } from '@hearth/db';

/** The kind of an object and the SHA-256 of its id. */
export interface OAuthObjectKey {
  model: string;
  idHash: Buffer;
}

export interface NewOAuthObject extends OAuthObjectKey {
  grantId: string | null;
  /** A JSON object. */
  payload: string;
  expiresAt: Date | null;
}

/** Upserts an object; an existing one keeps its creation time and whether it was used. */
export async function upsertOAuthObject(tx: Tx, object: NewOAuthObject, now: Date): Promise<void> {
  await tx.execute(named('identity_upsert_oauth_object')`
    insert into identity.oauth_objects (model, id_hash, grant_id, payload, created_at, expires_at)
    values (${object.model}, ${object.idHash}, ${object.grantId}, ${object.payload}, ${now},
      ${object.expiresAt})
    on conflict (model, id_hash) do update
    set grant_id = excluded.grant_id, payload = excluded.payload, expires_at = excluded.expires_at`);
}

export interface OAuthObjectRow {
  payload: object;
  consumedAt: Date | null;
}

/** The object, unless it has expired. */
export async function findOAuthObject(
  db: Db,
  { model, idHash }: OAuthObjectKey,
  now: Date,
): Promise<OAuthObjectRow | null> {
  return await db.maybeOne<OAuthObjectRow>(named('identity_find_oauth_object')`
    select payload, consumed_at as "consumedAt" from identity.oauth_objects
    where model = ${model} and id_hash = ${idHash} and (expires_at is null or expires_at > ${now})`);
}

export interface Grace {
  /** An object first used after this moment may be used again, */
  since: Date;
  /** unless its successor (same kind, this hash) has been used. */
  successor: Buffer;
}

/** Marks an object as used; false if it is gone, or was used before without a grace period. */
export async function updateConsumed(
  tx: Tx,
  { model, idHash }: OAuthObjectKey,
  now: Date,
  grace: Grace | null,
): Promise<boolean> {
  const consumed = await tx.execute(named('identity_consume_oauth_object')`
    update identity.oauth_objects set consumed_at = coalesce(consumed_at, ${now})
    where model = ${model} and id_hash = ${idHash} and (consumed_at is null
      or (consumed_at > ${grace?.since ?? null} and not exists (
        select from identity.oauth_objects s
        where s.model = ${model} and s.id_hash = ${grace?.successor ?? null}
          and s.consumed_at is not null)))`);
  return consumed === 1;
}

/** The grant that an object was issued under; null if none. */
export async function findGrantOfObject(db: Db, { model, idHash }: OAuthObjectKey): Promise<string | null> {
  const row = await db.maybeOne<{ grantId: string | null }>(sql`
    select grant_id as "grantId" from identity.oauth_objects where model = ${model} and id_hash = ${idHash}`);
  return row?.grantId ?? null;
}

/** Deletes an object and returns its grant, if any. */
export async function deleteOAuthObject(tx: Tx, { model, idHash }: OAuthObjectKey): Promise<string | null> {
  const row = await tx.maybeOne<{ grantId: string | null }>(named('identity_delete_oauth_object')`
    delete from identity.oauth_objects where model = ${model} and id_hash = ${idHash}
    returning grant_id as "grantId"`);
  return row?.grantId ?? null;
}

/** Deletes the authorization server's record of a grant, and everything issued under it. */
export async function deleteOAuthObjectsOf(tx: Tx, grantId: string): Promise<void> {
  await tx.execute(sql`delete from identity.oauth_objects where grant_id = ${grantId}`);
}

/**
 * Deletes at most `limit` clients that registered before `moment` and have had no grant since. Returns the
 * count.
 */
export async function deleteUnusedClients(tx: Tx, moment: Date, limit: number): Promise<number> {
  return await tx.execute(sql`
    delete from identity.oauth_objects
    where model = 'Client' and id_hash in (
      select o.id_hash from identity.oauth_objects o
      where o.model = 'Client' and o.created_at < ${moment} and not exists (
        select from identity.oauth_grants g
        where sha256(convert_to(g.client_id, 'UTF8')) = o.id_hash
          and (g.ended_at is null or g.ended_at > ${moment}))
      limit ${limit} for update skip locked)`);
}
