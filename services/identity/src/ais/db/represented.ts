import { type Db, named } from '@hearth/db';

/** uuids of those of the people of whom an AI in use holds the permission. */
export async function findRepresented(
  db: Db,
  people: readonly string[],
  permission: string,
): Promise<string[]> {
  const rows = await db.query<{ owner: string }>(named('identity_find_represented')`
    select distinct a.owner from identity.ais a
    where a.owner = any(${people}::uuid[]) and a.status = 'claimed' and a.revoked_at is null
      and ${permission} = any(a.permissions)`);
  return rows.map(({ owner }) => owner);
}
