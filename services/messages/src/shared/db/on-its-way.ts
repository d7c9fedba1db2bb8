import type { Db } from '@hearth/db';

/** The newest message of that sender in a thread with another home, where it is not known yet that it arrived. */
export async function findOnItsWay(db: Db, thread: string, sender: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string; open: boolean }>({
    name: 'messages_find_on_its_way',
    text: `
      select id, delivery is null and retracted_at is null and strpos(recipient_address, '@') > 1 as open
      from messages.messages where thread = $1 and sender = $2 order by thread_seq desc limit 1`,
    values: [thread, sender],
  });
  return row?.open ? row.id : null;
}
