import { type Db, fragment, named, type Tx } from '@hearth/db';

export const nextUnfollowed = fragment`
  select '-infinity'::timestamptz where exists (select from decisions.unfollowed_offers)`;

/** uuids of viewers with offers made before their other meetings closed times. */
export async function listUnfollowed(db: Db, limit: number): Promise<string[]> {
  const rows = await db.query<{ viewer: string }>(named('offers_list_unfollowed')`
    select viewer from decisions.unfollowed_offers limit ${limit}`);
  return rows.map(({ viewer }) => viewer);
}

export async function deleteUnfollowed(tx: Tx, viewer: string): Promise<void> {
  await tx.execute(named('offers_delete_unfollowed')`
    delete from decisions.unfollowed_offers where viewer = ${viewer}`);
}
