import { named, sql, type Tx } from '@hearth/db';

/** Records that a link was opened; false if it was opened before. */
export async function noteOpened(tx: Tx, { hash, endsAt }: { hash: Buffer; endsAt: Date }): Promise<boolean> {
  const opened = await tx.execute(named('delivery_note_opened')`
    insert into delivery.opened_links (hash, ends_at) values (${hash}, ${endsAt}) on conflict do nothing`);
  return opened === 1;
}

/** Deletes links that expired before `ended`. */
export async function purgeOpenedLinks(tx: Tx, ended: Date): Promise<void> {
  await tx.execute(sql`delete from delivery.opened_links where ends_at < ${ended}`);
}
