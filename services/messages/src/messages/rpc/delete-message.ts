import type { Db } from '@hearth/db';
import { badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { itemsChanged } from '@hearth/items';
import { sizeOf } from '@hearth/limits';
import { Box, DeleteMode, type MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { lockMailboxes, lowerUnread } from '../../shared/db/mailboxes.ts';
import { findMessage, hideMessage } from '../../shared/db/messages.ts';
import { closing } from '../../shared/domain/items.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { retractMessage } from '../db/messages.ts';
import { mailboxOf } from '../domain/mailbox-of.ts';
import { messageRetracted, retractRefusal } from '../domain/retract.ts';

export const deleteMessage =
  (context: Context): UnaryHandler<typeof MessagesService.method.deleteMessage> =>
  async (request, { caller }) => {
    mailboxOf(caller);
    const id = parseId('msg', request.id);
    if (id === null) throw notFound();
    const mode = request.mode ?? DeleteMode.MINE;
    const waited = await (mode === DeleteMode.RETRACT ? retract : hide)(context, caller.id, id);
    if (waited) await context.items.note(closing([{ id }]));
    return { id: request.id, mode };
  };

/** Answers whether it waited in requests until now. */
async function hide({ clock, commit }: Context, viewer: string, id: string): Promise<boolean> {
  return await commit(async (tx) => {
    await lockMailboxes(tx, viewer);
    const hidden = await hideMessage(tx, viewer, id, new Date(clock.now()));
    if (hidden === null) throw notFound();
    if (hidden.wasUnread) await lowerUnread(tx, viewer, 1);
    if (hidden.waited) tx.announce(itemsChanged(closing([{ id }])));
    tx.wake(mailboxTopic(viewer));
    return hidden.waited;
  });
}

async function retract(
  { clock, commit, database, limits }: Context,
  sender: string,
  id: string,
): Promise<boolean> {
  const found = await findMessage(database.db, sender, id);
  if (found === null) throw notFound();
  const { recipient } = found;
  if (found.sender !== sender)
    throw badRequest('only the sender can take a message back; delete it for yourself with mode mine');
  return await commit(async (tx) => {
    // With the recipient's mailbox locked, they cannot read it between the check and the change.
    await lockMailboxes(tx, recipient);
    const message = await findMessage(tx, sender, id);
    if (message === null) throw notFound();
    if (message.retracted_at !== null) return false;
    const refusal = retractRefusal(message, sizeOf(limits, 'retract_minutes'), clock.now());
    if (refusal !== null) throw refusal;
    const unread = await isCountedUnread(tx, recipient, id);
    await retractMessage(tx, sender, id, new Date(clock.now()));
    if (unread) await lowerUnread(tx, recipient, 1);
    tx.announce(messageRetracted(message));
    const waited = message.box === Box.REQUESTS || message.box === Box.FRONT_DOOR;
    if (waited) tx.announce(itemsChanged(closing([{ id }])));
    return waited;
  });
}

/** The recipient's count holds a message that is unread and that they have not hidden. */
async function isCountedUnread(db: Db, recipient: string, id: string): Promise<boolean> {
  const message = await findMessage(db, recipient, id);
  return (
    message !== null && message.read_at === null && message.retracted_at === null && message.holder === null
  );
}
