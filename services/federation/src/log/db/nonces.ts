import type { Db, Tx } from '@hearth/db';

export async function hasNonces(db: Db): Promise<boolean> {
  const row = await db.one<{ present: boolean }>({
    name: 'federation_has_nonces',
    text: 'select exists (select from federation.nonces) as present',
  });
  return row.present;
}

export async function purgeNonces(tx: Tx, now: Date): Promise<void> {
  await tx.execute({
    name: 'federation_purge_nonces',
    text: 'delete from federation.nonces where until < $1',
    values: [now],
  });
}
