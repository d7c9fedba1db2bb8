import { notFound } from '@hearth/errors';
import { Box } from '@hearth/proto/messages/v1/messages';
import { callerKinds } from '@hearth/rpc';
import { lockMailboxes } from '../../messages/db/messages.ts';
import { insertMessages } from '../../shared/db/insert-messages.ts';
import { messageNotice } from '../../shared/domain/message-notice.ts';
import { messageSent } from '../../shared/domain/message-sent.ts';
import { heardAddress } from '../../shared/domain/stored-address.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { answerTo } from '../actions/answer-to.ts';
import { waitingMessage } from '../actions/waiting-message.ts';
import type { RequestMessagesContext, RequestMessagesHandlers } from '../context.ts';
import { acceptThread, lockWaiting, moveToInbox } from '../db/request-messages.ts';

/** What somebody else saw first is announced to the recipient now. */
export const moveThread =
  (context: RequestMessagesContext): RequestMessagesHandlers['moveThread'] =>
  async (request, call) => {
    const { clock, database, outbox } = context;
    const { viewer, row } = await waitingMessage(context, request);
    const answer = request.note === '' ? null : await answerTo(context, row, request.note, true, call);
    const { moved, events } = await database.transaction(async (tx) => {
      await lockMailboxes(tx, [row.recipient, row.sender]);
      const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
      if (rows.length === 0) throw notFound();
      await moveToInbox(tx, row.recipient, rows);
      await acceptThread(tx, row, new Date(clock.now()));
      const announced = rows
        .filter(({ holder }) => holder !== null)
        .map((held) =>
          messageSent(outbox, {
            ...held,
            holder: null,
            from: heardAddress(held.sender_address),
            box: 'inbox',
            notice: messageNotice({
              box: Box.INBOX,
              quiet: false,
              recipient: { id: held.recipient, person: held.recipient === held.person },
              holder: null,
              fromName: held.sender_name,
              title: held.title,
              by: call.caller.kind === callerKinds.PERSON ? call.caller.id : '',
            }),
          }),
        );
      if (announced.length > 0) await outbox.announce(tx, announced);
      if (answer === null) return { moved: rows.length, events: announced };
      await insertMessages(tx, [answer]);
      return { moved: rows.length, events: answer.event ? [...announced, answer.event] : announced };
    });
    outbox.committed(events);
    outbox.wake([mailboxTopic(row.recipient), ...viewer.holders.map(mailboxTopic)]);
    return { moved };
  };
