import { badRequest, notFound } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import { DeleteMode } from '@hearth/proto/messages/v1/messages';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { findMessage, hideMessage, lockMailbox, lowerUnread, retractMessage } from '../db/messages.ts';
import { mailboxOf } from '../domain/mailbox-of.ts';
import { retractRefusal } from '../domain/retract.ts';
import type { MessagesHandlers } from './index.ts';

export const deleteMessage =
  (context: Context): MessagesHandlers['deleteMessage'] =>
  async (request, { caller }) => {
    mailboxOf(caller);
    const id = parseId('msg', request.id);
    if (id === null) throw notFound();
    const mode = request.mode ?? DeleteMode.MINE;
    if (mode === DeleteMode.RETRACT) await retract(context, caller.id, id);
    else await hide(context, caller.id, id);
    return { id: request.id, mode };
  };

async function hide({ clock, database, outbox }: Context, viewer: string, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    await lockMailbox(tx, viewer);
    const hidden = await hideMessage(tx, viewer, id, new Date(clock.now()));
    if (hidden === null) throw notFound();
    if (hidden.wasUnread) await lowerUnread(tx, viewer, 1);
  });
  outbox.wake([mailboxTopic(viewer)]);
}

async function retract(
  { clock, database, limits, outbox }: Context,
  sender: string,
  id: string,
): Promise<void> {
  const seen = await findMessage(database.db, sender, id);
  if (seen === null) throw notFound();
  if (seen.sender !== sender)
    throw badRequest('only the sender can take a message back; delete it for yourself with mode mine');
  const event = outbox.row(
    { case: 'messageRetracted', value: { messageId: printId('msg', id), to: seen.recipient } },
    [mailboxTopic(seen.recipient)],
  );
  const retracted = await database.transaction(async (tx) => {
    // With the recipient's mailbox locked, they cannot read it between the look and the change.
    await lockMailbox(tx, seen.recipient);
    const message = await findMessage(tx, sender, id);
    if (message === null) throw notFound();
    if (message.retracted_at !== null) return false;
    const refusal = retractRefusal(
      { at: message.at, readAt: message.read_at },
      sizeOf(limits, 'retract_minutes'),
      clock.now(),
    );
    if (refusal !== null) throw refusal;
    const unread = await isCountedUnread(tx, message.recipient, id);
    await retractMessage(tx, sender, id, new Date(clock.now()));
    if (unread) await lowerUnread(tx, message.recipient, 1);
    await outbox.announce(tx, [event]);
    return true;
  });
  if (retracted) outbox.committed([event]);
}

/** Unread and not hidden by its recipient: only then it is in the recipient's count. */
async function isCountedUnread(
  tx: Parameters<typeof findMessage>[0],
  recipient: string,
  id: string,
): Promise<boolean> {
  const message = await findMessage(tx, recipient, id);
  return (
    message !== null && message.read_at === null && message.retracted_at === null && message.holder === null
  );
}
