import type { Db, Tx } from '@hearth/db';
import { type MessageRow, messageColumns } from './message-row.ts';

/** The polite no to a message goes back at that moment; the first counts. */
export async function planPoliteNo(tx: Tx, message: string, dueAt: Date): Promise<void> {
  await tx.query({
    name: 'messages_plan_polite_no',
    text: 'insert into messages.polite_noes (message, due_at) values ($1, $2) on conflict do nothing',
    values: [message, dueAt],
  });
}

/** The messages that are to be answered by now. */
export function listPoliteNoes(
  db: Db,
  now: Date,
  limit: number,
): Promise<(MessageRow & { sender_person: string | null })[]> {
  return db.query({
    name: 'messages_list_polite_noes',
    text: `
      select ${messageColumns}, m.sender_person
      from (select message from messages.polite_noes where due_at <= $1 order by due_at limit $2) due
      join messages.messages m on m.id = due.message`,
    values: [now, limit],
  });
}

/** Answers whether it was still to be sent. */
export async function takePoliteNo(tx: Tx, message: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'messages_take_polite_no',
    text: 'delete from messages.polite_noes where message = $1 returning message',
    values: [message],
  });
  return rows.length > 0;
}
