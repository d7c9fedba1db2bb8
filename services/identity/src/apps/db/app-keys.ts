import { type Db, sql, type Tx } from '@hearth/db';
import type { KeyRow } from '../../shared/db/keys.ts';

export interface NewAppKey {
  /** uuid */
  id: string;
  /** uuid */
  app: string;
  hash: Buffer;
  prefix: string;
}

export async function insertAppKey(tx: Tx, key: NewAppKey, now: Date): Promise<void> {
  await tx.execute(sql`
    insert into identity.app_keys (id, app, hash, prefix, created_at)
    values (${key.id}, ${key.app}, ${key.hash}, ${key.prefix}, ${now})`);
}

/** The keys of an app, the newest first. */
export async function listAppKeys(db: Db, app: string, limit: number): Promise<KeyRow[]> {
  return await db.query<KeyRow>(sql`
    select prefix, created_at as "createdAt", ends_at as "endsAt", last_used_on as "lastUsedOn"
    from identity.app_keys where app = ${app}
    order by created_at desc, id desc limit ${limit}`);
}

export async function countLiveAppKeys(db: Db, app: string, now: Date): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) from identity.app_keys where app = ${app} and (ends_at is null or ends_at > ${now})`);
  return count;
}

/** Ends every key of an app at that moment; a key that ends earlier keeps its own end. */
export async function endAppKeys(tx: Tx, app: string, at: Date): Promise<void> {
  await tx.execute(sql`
    update identity.app_keys set ends_at = ${at}
    where app = ${app} and (ends_at is null or ends_at > ${at})`);
}
