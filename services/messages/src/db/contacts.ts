import type { Db } from '@hearth/db';

/** Whether `owner` has written to `other` before. */
export async function hasWrittenTo(db: Db, owner: string, other: string): Promise<boolean> {
  const row = await db.maybeOne({
    name: 'messages_has_written_to',
    text: `select 1 as found from messages.contacts where owner = $1 and other = $2`,
    values: [owner, other],
  });
  return row !== null;
}
