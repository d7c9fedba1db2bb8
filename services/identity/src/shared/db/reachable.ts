import { type Db, sql } from '@hearth/db';

/**
 * The people (uuids) among these whose account no one can enter: no app holds it, and it has no email
 * address, passkey or session.
 */
export async function listUnreachable(db: Db, people: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from identity.people p
    where id = any(${people}::uuid[]) and deleted_at is null and app is null and email is null
      and not exists (select from identity.passkeys where person = p.id)
      and not exists (select from identity.sessions where person = p.id)`);
  return rows.map(({ id }) => id);
}

export async function isUnreachable(db: Db, person: string): Promise<boolean> {
  return (await listUnreachable(db, [person])).length > 0;
}
