import { type Db, fragment, named, type Tx } from '@hearth/db';
import { type MessageRow, messageColumns } from './message-row.ts';

/** Schedules the polite refusal of a message; the first schedule wins. */
export async function planPoliteNo(tx: Tx, message: string, dueAt: Date): Promise<void> {
  await tx.query(named('messages_plan_polite_no')`
    insert into messages.polite_noes (message, due_at) values (${message}, ${dueAt}) on conflict do nothing`);
}

export const nextPoliteNo = fragment`select min(due_at) from messages.polite_noes`;

/** Messages whose polite refusal is due. */
export function listPoliteNoes(
  db: Db,
  now: Date,
  limit: number,
): Promise<(MessageRow & { sender_person: string | null })[]> {
  return db.query(named('messages_list_polite_noes')`
    select ${messageColumns}, m.sender_person
    from (select message from messages.polite_noes where due_at <= ${now} order by due_at limit ${limit}) due
    join messages.messages m on m.id = due.message`);
}

/** Claims a scheduled refusal; false if it was sent before. */
export async function takePoliteNo(tx: Tx, message: string): Promise<boolean> {
  const rows = await tx.query(named('messages_take_polite_no')`
    delete from messages.polite_noes where message = ${message} returning message`);
  return rows.length > 0;
}
