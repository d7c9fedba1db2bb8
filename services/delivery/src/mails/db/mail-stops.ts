import { type Db, named, type Tx } from '@hearth/db';

/** Returns the unsubscribed addresses among these, as hex. */
export async function findStopped(db: Db, addresses: readonly Buffer[]): Promise<Set<string>> {
  const rows = await db.query<{ address: Buffer }>(named('delivery_find_mail_stops')`
    select address from delivery.mail_stops where address = any(${addresses}::bytea[])`);
  return new Set(rows.map(({ address }) => address.toString('hex')));
}

export async function insertStop(tx: Tx, address: Buffer, at: Date): Promise<void> {
  await tx.execute(named('delivery_insert_mail_stop')`
    insert into delivery.mail_stops (address, at) values (${address}, ${at}) on conflict do nothing`);
}

export async function deleteStop(tx: Tx, address: Buffer): Promise<void> {
  await tx.execute(named('delivery_delete_mail_stop')`
    delete from delivery.mail_stops where address = ${address}`);
}
