import { type Db, named, sql, type Tx } from '@hearth/db';

/** uuids of the AIs of these people, without those switched off. */
export async function listAiIdsOf(db: Db, owners: readonly string[]): Promise<string[]> {
  if (owners.length === 0) return [];
  const rows = await db.query<{ id: string }>(named('identity_list_ai_ids_of')`
    select id from identity.ais where owner = any(${owners}) and revoked_at is null`);
  return rows.map(({ id }) => id);
}

export async function updateAiAddress(tx: Tx, id: string, address: string): Promise<void> {
  await tx.execute(sql`update identity.ais set address = ${address} where id = ${id}`);
}
