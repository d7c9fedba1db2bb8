import type { Db, Tx } from '@hearth/db';

/** Those of the addresses to which no mails go, as hex. */
export async function findStopped(db: Db, addresses: readonly Buffer[]): Promise<Set<string>> {
  const rows = await db.query<{ address: Buffer }>({
    name: 'delivery_find_mail_stops',
    text: 'select address from delivery.mail_stops where address = any($1::bytea[])',
    values: [addresses],
  });
  return new Set(rows.map(({ address }) => address.toString('hex')));
}

export async function insertStop(tx: Tx, address: Buffer, at: Date): Promise<void> {
  await tx.execute({
    name: 'delivery_insert_mail_stop',
    text: 'insert into delivery.mail_stops (address, at) values ($1, $2) on conflict do nothing',
    values: [address, at],
  });
}

export async function deleteStop(tx: Tx, address: Buffer): Promise<void> {
  await tx.execute({
    name: 'delivery_delete_mail_stop',
    text: 'delete from delivery.mail_stops where address = $1',
    values: [address],
  });
}
