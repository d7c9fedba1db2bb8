import { type Db, named } from '@hearth/db';

/** The sender's newest message in a remote thread, if it is not known to have arrived. */
export async function findOnItsWay(db: Db, thread: string, sender: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string; open: boolean }>(named('messages_find_on_its_way')`
    select id, delivery is null and retracted_at is null and strpos(recipient_address, '@') > 1 as open
    from messages.messages where thread = ${thread} and sender = ${sender} order by thread_seq desc limit 1`);
  return row?.open ? row.id : null;
}
