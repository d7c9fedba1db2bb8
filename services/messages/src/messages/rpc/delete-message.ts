import { forbidden, notFound } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import { itemsChanged } from '@hearth/items';
import { sizeOf } from '@hearth/limits';
import { DeleteMode, type MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { takeBack } from '../../shared/actions/take-back.ts';
import { lockMailboxes, lowerUnread } from '../../shared/db/mailboxes.ts';
import { findMessage, hideMessage } from '../../shared/db/messages.ts';
import { retractedAway } from '../../shared/domain/away.ts';
import { closing } from '../../shared/domain/items.ts';
import { isElsewhere } from '../../shared/domain/stored-address.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { nameHere } from '../actions/name-here.ts';
import type { Context } from '../context.ts';
import { retractRefusal } from '../domain/retract.ts';

export const deleteMessage =
  (context: Context): UnaryHandler<typeof MessagesService.method.deleteMessage> =>
  async (request, { caller }) => {
    const id = parseId('msg', (await nameHere(context, request, caller.id)).id);
    if (id === null) throw notFound();
    const mode = request.mode ?? DeleteMode.MINE;
    const waited = await (mode === DeleteMode.RETRACT ? retract : hide)(context, caller.id, id);
    if (waited) await context.items.note(closing([{ id }]));
    return { id: printId('msg', id), mode };
  };

/** Hides the message for one side. Returns whether it was waiting in requests. */
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
  { clock, commit, database, homeNames, limits }: Context,
  sender: string,
  id: string,
): Promise<boolean> {
  const found = await findMessage(database.db, sender, id);
  if (found === null) throw notFound();
  if (found.sender !== sender)
    throw forbidden('only the sender can take a message back; delete it for yourself with mode mine');
  return await commit(async (tx) => {
    // With the mailbox locked, the recipient cannot read it between the check and the change.
    await lockMailboxes(tx, found.recipient);
    const message = await findMessage(tx, sender, id);
    if (message === null) throw notFound();
    if (message.retracted_at !== null) return false;
    const now = clock.now();
    const refusal = retractRefusal(message, sizeOf(limits, 'retract_minutes'), now);
    if (refusal !== null) throw refusal;
    if (isElsewhere(message.recipient_address)) tx.announce(retractedAway(message, homeNames.ownHome));
    return await takeBack(tx, message, new Date(now));
  });
}
