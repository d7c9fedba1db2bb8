import { type Db, fragment, named, type Tx } from '@hearth/db';
import { type MessageRow, messageColumns } from './message-row.ts';

/**
 * Whether the recipient sees the message: not while a guardian holds it, but while it is at their front door.
 */
export const shownToRecipient = fragment`(m.recipient_deleted_at is null and (m.holder is null or m.box = 3))`;

/** Whether the viewer sent or received the message and has not deleted it for themselves. */
const own = (viewer: string) => fragment`(
  (m.recipient = ${viewer} and ${shownToRecipient}) or (m.sender = ${viewer}
    and m.sender_deleted_at is null))`;

/** Whether the viewer may see the message: it is their own, or they hold it for its recipient. */
export const visible = (viewer: string) =>
  fragment`(${own(viewer)} or (m.holder = ${viewer} and m.recipient_deleted_at is null))`;

export function findMessage(db: Db, viewer: string, id: string): Promise<MessageRow | null> {
  return db.maybeOne<MessageRow>(named('messages_find')`
    select ${messageColumns} from messages.messages m where ${visible(viewer)} and m.id = ${id}`);
}

/** The remote item that carried a message, as JSON; null if it came from this home. */
export function findEnvelope(
  db: Db,
  viewer: string,
  id: string,
): Promise<{ envelope: string | null } | null> {
  return db.maybeOne(named('messages_find_envelope')`
    select m.envelope from messages.messages m where ${visible(viewer)} and m.id = ${id}`);
}

/**
 * Hides a message for one side. Returns whether the recipient had not read it, and whether it was waiting in
 * requests.
 */
export async function hideMessage(
  tx: Tx,
  viewer: string,
  id: string,
  at: Date,
): Promise<{ wasUnread: boolean; waited: boolean } | null> {
  return tx.maybeOne(named('messages_hide')`
    update messages.messages m set
      recipient_deleted_at = case when m.recipient = ${viewer} then ${at} else m.recipient_deleted_at end,
      sender_deleted_at = case when m.sender = ${viewer} then ${at} else m.sender_deleted_at end
    where m.id = ${id} and ${own(viewer)}
    returning m.recipient = ${viewer} and m.read_at is null and m.retracted_at is null and m.holder is null
      as "wasUnread", m.recipient = ${viewer} and m.box in (2, 3) as waited`);
}

/** Leaves a tombstone without title, text and data. */
export async function retractMessage(tx: Tx, sender: string, id: string, at: Date): Promise<void> {
  await tx.execute(named('messages_retract')`
    update messages.messages set retracted_at = ${at}, title = null, body = '', data = null, envelope = null
    where sender = ${sender} and id = ${id}`);
}
