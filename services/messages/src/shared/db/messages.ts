import { type Db, named, type Tx } from '@hearth/db';
import { type MessageRow, messageColumns } from './message-row.ts';

/** The recipient sees it: not while it waits at a guardian, but while it waits at their front door. */
export const shownToRecipient = `(m.recipient_deleted_at is null and (m.holder is null or m.box = 3))`;

/** The viewer sent or received it, and has not deleted it for themselves. */
const own = `(
  (m.recipient = $1 and ${shownToRecipient}) or (m.sender = $1 and m.sender_deleted_at is null))`;

/** The viewer may see it: it is their own, or it waits at them for its recipient. */
export const visible = `(${own} or (m.holder = $1 and m.recipient_deleted_at is null))`;

export function findMessage(db: Db, viewer: string, id: string): Promise<MessageRow | null> {
  return db.maybeOne<MessageRow>({
    name: 'messages_find',
    text: `select ${messageColumns} from messages.messages m where ${visible} and m.id = $2`,
    values: [viewer, id],
  });
}

/** Hides it for one side; answers whether the recipient had not read it, and whether it waited in requests. */
export async function hideMessage(
  tx: Tx,
  viewer: string,
  id: string,
  at: Date,
): Promise<{ wasUnread: boolean; waited: boolean } | null> {
  return tx.maybeOne({
    name: 'messages_hide',
    text: `
      update messages.messages m set
        recipient_deleted_at = case when m.recipient = $1 then $3 else m.recipient_deleted_at end,
        sender_deleted_at = case when m.sender = $1 then $3 else m.sender_deleted_at end
      where m.id = $2 and ${own}
      returning m.recipient = $1 and m.read_at is null and m.retracted_at is null and m.holder is null
        as "wasUnread", m.recipient = $1 and m.box in (2, 3) as waited`,
    values: [viewer, id, at],
  });
}

/** Leaves a tombstone without title, text and data. */
export async function retractMessage(tx: Tx, sender: string, id: string, at: Date): Promise<void> {
  await tx.execute(named('messages_retract')`
    update messages.messages set retracted_at = ${at}, title = null, body = '', data = null
    where sender = ${sender} and id = ${id}`);
}
