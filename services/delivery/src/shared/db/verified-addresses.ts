import type { Db, Tx } from '@hearth/db';

/** Whether the address gave back a challenge for that AI or person (the column `ai`) after `since`. */
export async function isVerified(db: Db, party: string, url: string, since: Date): Promise<boolean> {
  const { verified } = await db.one<{ verified: boolean }>({
    name: 'delivery_is_verified',
    text: `
      select exists (
        select 1 from delivery.verified_addresses where ai = $1 and url = $2 and verified_at > $3) as verified`,
    values: [party, url, since],
  });
  return verified;
}

export async function noteVerified(tx: Tx, party: string, url: string, now: Date): Promise<void> {
  await tx.execute({
    name: 'delivery_note_verified',
    text: `
      insert into delivery.verified_addresses (ai, url, verified_at) values ($1, $2, $3)
      on conflict (ai, url) do update set verified_at = excluded.verified_at`,
    values: [party, url, now],
  });
}
