import { type Db, named, type Tx } from '@hearth/db';

export async function hasNonces(db: Db): Promise<boolean> {
  const row = await db.one<{ present: boolean }>(named('federation_has_nonces')`
    select exists (select from federation.nonces) as present`);
  return row.present;
}

export async function purgeNonces(tx: Tx, now: Date): Promise<void> {
  await tx.execute(named('federation_purge_nonces')`delete from federation.nonces where until < ${now}`);
}
