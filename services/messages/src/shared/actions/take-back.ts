import type { Tx } from '@hearth/db';
import { printId } from '@hearth/ids';
import { itemsChanged } from '@hearth/items';
import type { UnitOfWork } from '@hearth/outbox';
import { Box } from '@hearth/proto/messages/v1/messages';
import { lowerUnread } from '../db/mailboxes.ts';
import type { MessageRow } from '../db/message-row.ts';
import { findMessage, retractMessage } from '../db/messages.ts';
import { closing } from '../domain/items.ts';
import { mailboxTopic } from '../domain/topics.ts';

/** Retracts a message whose recipient's mailbox is locked. Returns whether it was waiting in requests. */
export async function takeBack(tx: UnitOfWork, message: MessageRow, at: Date): Promise<boolean> {
  const { box, id, recipient, sender } = message;
  const unread = await isCountedUnread(tx, recipient, id);
  await retractMessage(tx, sender, id, at);
  if (unread) await lowerUnread(tx, recipient, 1);
  tx.announce({
    data: { case: 'messageRetracted', value: { messageId: printId('msg', id), to: recipient } },
    topics: [mailboxTopic(recipient)],
  });
  const waited = box === Box.REQUESTS || box === Box.FRONT_DOOR;
  if (waited) tx.announce(itemsChanged(closing([{ id }])));
  return waited;
}

/** Whether the recipient's unread count includes the message: unread, not hidden and not held. */
async function isCountedUnread(tx: Tx, recipient: string, id: string): Promise<boolean> {
  const message = await findMessage(tx, recipient, id);
  return (
    message !== null && message.read_at === null && message.retracted_at === null && message.holder === null
  );
}
