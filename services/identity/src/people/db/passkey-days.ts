import { type Db, sql } from '@hearth/db';

/** When the passkeys of a person were made and last used (YYYY-MM-DD, UTC), the oldest first. */
export async function listPasskeyDays(
  db: Db,
  person: string,
): Promise<{ createdAt: Date; lastUsedOn: string | null }[]> {
  return await db.query<{ createdAt: Date; lastUsedOn: string | null }>(sql`
    select created_at as "createdAt", last_used_on as "lastUsedOn"
    from identity.passkeys where person = ${person} order by created_at, id`);
}
