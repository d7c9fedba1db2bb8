import { sql, type Tx } from '@hearth/db';

/** Ends all grants to act as this AI, and deletes the authorization server's objects for them. */
export async function endGrantsOf(tx: Tx, ai: string, now: Date): Promise<void> {
  await tx.execute(sql`
    with ended as (
      update identity.oauth_grants set ended_at = ${now} where ai = ${ai} and ended_at is null returning id)
    delete from identity.oauth_objects where grant_id in (select id from ended)`);
}
