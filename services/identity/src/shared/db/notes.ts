import { type Db, named } from '@hearth/db';

export async function countNotes(db: Db, person: string, now: Date): Promise<number> {
  const { count } = await db.one<{ count: number }>(named('identity_count_notes')`
    select count(*)::int as count from identity.notes
    where person = ${person} and (expires_at is null or expires_at > ${now})`);
  return count;
}
