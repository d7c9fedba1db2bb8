import { notFound } from '@hearth/errors';
import { itemsChanged } from '@hearth/items';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { Box } from '@hearth/proto/messages/v1/messages';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { insertMessages } from '../../shared/db/insert-messages.ts';
import { lockMailboxes } from '../../shared/db/mailboxes.ts';
import { closing } from '../../shared/domain/items.ts';
import { messageSent } from '../../shared/domain/message-sent.ts';
import { announcedAddress } from '../../shared/domain/stored-address.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { composeAnswer } from '../actions/compose-answer.ts';
import { waitingItem } from '../actions/waiting-item.ts';
import type { Context } from '../context.ts';
import { acceptThread, lockWaiting, moveToInbox, type RequestRow } from '../db/request-messages.ts';

/** The rest of its thread that waits comes with it. Messages that a holder saw first are announced to the recipient now. */
export const acceptItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.acceptItem> =>
  async (request, call) => {
    const { clock, commit, items } = context;
    const { viewer, row } = await waitingItem(context, request, call);
    const answer = request.note === '' ? null : await composeAnswer(context, row, request.note, true, call);
    const by = call.caller.kind === callerKinds.PERSON ? call.caller.id : '';
    const closed = await commit(async (tx) => {
      await lockMailboxes(tx, row.recipient, row.sender);
      const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
      if (rows.length === 0) throw notFound();
      await moveToInbox(tx, row.recipient, rows);
      await acceptThread(tx, row, new Date(clock.now()));
      const held = rows.filter(({ holder }) => holder !== null);
      tx.announce(...held.map((message) => sentToRecipient(message, by)), itemsChanged(closing(rows)));
      if (answer !== null) {
        await insertMessages(tx, [answer.message]);
        tx.announce(answer.sent);
      }
      tx.wake(mailboxTopic(row.recipient), mailboxTopic(viewer.holder));
      return closing(rows);
    });
    await items.note(closed);
    return { status: 'inbox' };
  };

function sentToRecipient(message: RequestRow, by: string) {
  return messageSent({
    ...message,
    recipient: { id: message.recipient, person: message.recipient === message.person },
    holder: null,
    from: announcedAddress(message.sender_address),
    fromName: message.sender_name,
    box: Box.INBOX,
    by,
  });
}
