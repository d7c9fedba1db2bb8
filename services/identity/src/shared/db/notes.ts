import type { Db } from '@hearth/db';

export async function countNotes(db: Db, person: string, now: Date): Promise<number> {
  const { count } = await db.one<{ count: number }>({
    name: 'identity_count_notes',
    text: `
      select count(*)::int as count from identity.notes
      where person = $1 and (expires_at is null or expires_at > $2)`,
    values: [person, now],
  });
  return count;
}
