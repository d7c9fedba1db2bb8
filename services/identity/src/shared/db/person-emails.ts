import { type Db, isUniqueViolation, named, sql, type Tx } from '@hearth/db';

/** uuid of the person who signs in with this address. */
export async function findPersonByEmail(db: Db, email: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(named('identity_find_person_by_email')`
    select id from identity.people where email = ${email} and deleted_at is null`);
  return row?.id ?? null;
}

/** address -> uuid of the person who signs in with it; unused addresses are absent. */
export async function findPeopleByEmail(db: Db, emails: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; email: string }>(named('identity_find_people_by_email')`
    select id, email from identity.people where email = any(${emails}) and deleted_at is null`);
  return new Map(rows.map(({ id, email }) => [email, id]));
}

/** The language of an account (BCP 47), by its uuid or its address; empty for none. */
export async function findLanguage(
  db: Db,
  { person, email }: { person: string | null; email: string },
): Promise<string> {
  const row = await db.maybeOne<{ language: string }>(named('identity_find_language')`
    select language from identity.people
    where (id = ${person} or (${person}::uuid is null and email = ${email})) and deleted_at is null`);
  return row?.language ?? '';
}

/** Sets the sign-in address of a person that the caller has locked or just created. See `isEmailTaken`. */
export async function updateEmail(tx: Tx, person: string, email: string): Promise<void> {
  await tx.execute(
    sql`update identity.people set email = ${email} where id = ${person} and deleted_at is null`,
  );
}

/** Whether a write failed because another person signs in with this address. */
export function isEmailTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'people_email_key');
}
