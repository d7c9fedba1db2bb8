import { notFound } from '@hearth/errors';
import { itemsChanged } from '@hearth/items';
import { Box } from '@hearth/proto/messages/v1/messages';
import { type Call, callerKinds } from '@hearth/rpc';
import { insertMessages } from '../../shared/db/insert-messages.ts';
import { lockMailboxes } from '../../shared/db/mailboxes.ts';
import { messageSent } from '../../shared/domain/message-sent.ts';
import { announcedAddress } from '../../shared/domain/stored-address.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import {
  lockWaiting,
  moveToInbox,
  acceptThread as openThread,
  type RequestRow,
} from '../db/request-messages.ts';
import { closing } from '../domain/closing.ts';
import { composeAnswer } from './compose-answer.ts';
import type { Waiting } from './waiting-message.ts';

/** Takes what waits of a thread into the inbox. Messages that a holder saw first are announced to the recipient now. */
export async function acceptThread(
  context: Context,
  { viewer, row }: Waiting,
  note: string,
  call: Call,
): Promise<number> {
  const { clock, commit, items } = context;
  const answer = note === '' ? null : await composeAnswer(context, row, note, true, call);
  const by = call.caller.kind === callerKinds.PERSON ? call.caller.id : '';
  const moved = await commit(async (tx) => {
    await lockMailboxes(tx, row.recipient, row.sender);
    const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
    if (rows.length === 0) throw notFound();
    await moveToInbox(tx, row.recipient, rows);
    await openThread(tx, row, new Date(clock.now()));
    const held = rows.filter(({ holder }) => holder !== null);
    tx.announce(...held.map((message) => sentToRecipient(message, by)), itemsChanged(closing(rows)));
    if (answer !== null) {
      await insertMessages(tx, [answer.message]);
      tx.announce(answer.sent);
    }
    tx.wake(...[row.recipient, ...viewer.holders].map(mailboxTopic));
    return rows;
  });
  await items.note(closing(moved));
  return moved.length;
}

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
