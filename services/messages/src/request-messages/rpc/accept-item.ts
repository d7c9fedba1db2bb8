import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { Box } from '@hearth/proto/messages/v1/messages';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { messageSent } from '../../shared/domain/message-sent.ts';
import { announcedAddress } from '../../shared/domain/stored-address.ts';
import { settleThread } from '../actions/settle-thread.ts';
import type { Context } from '../context.ts';
import { acceptThread, moveToInbox, type RequestRow } from '../db/request-messages.ts';

/** The rest of its thread that waits comes with it. Messages that a holder saw first are announced to the recipient now. */
export const acceptItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.acceptItem> =>
  async (request, call) => {
    const by = call.caller.kind === callerKinds.PERSON ? call.caller.id : '';
    const answer = { text: request.note || null, acquaints: true };
    await settleThread(context, request, answer, call, async (tx, row, rows) => {
      await moveToInbox(tx, row.recipient, rows);
      await acceptThread(tx, row, new Date(context.clock.now()));
      const held = rows.filter(({ holder }) => holder !== null);
      tx.announce(...held.map((message) => sentToRecipient(message, by)));
    });
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
