import type { Db } from '@hearth/db';

/** uuids of those of the people of whom an AI in use holds the permission. */
export async function findRepresented(
  db: Db,
  people: readonly string[],
  permission: string,
): Promise<string[]> {
  const rows = await db.query<{ owner: string }>({
    name: 'identity_find_represented',
    text: `
      select distinct a.owner from identity.ais a
      where a.owner = any($1::uuid[]) and a.status = 'claimed' and a.revoked_at is null and $2 = any(a.permissions)`,
    values: [people, permission],
  });
  return rows.map(({ owner }) => owner);
}
