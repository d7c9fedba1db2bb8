import { type Db, named, type Tx } from '@hearth/db';

/** Returns whether the party (an AI or person; column `ai`) verified the address after `since`. */
export async function isVerified(db: Db, party: string, url: string, since: Date): Promise<boolean> {
  const { verified } = await db.one<{ verified: boolean }>(named('delivery_is_verified')`
    select exists (
      select 1 from delivery.verified_addresses where ai = ${party} and url = ${url}
        and verified_at > ${since}) as verified`);
  return verified;
}

export async function noteVerified(tx: Tx, party: string, url: string, now: Date): Promise<void> {
  await tx.execute(named('delivery_note_verified')`
    insert into delivery.verified_addresses (ai, url, verified_at) values (${party}, ${url}, ${now})
    on conflict (ai, url) do update set verified_at = excluded.verified_at`);
}
