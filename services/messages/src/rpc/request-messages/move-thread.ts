import { notFound } from '@hearth/errors';
import { Box } from '@hearth/proto/messages/v1/messages';
import { callerKinds } from '@hearth/rpc';
import { insertMessages } from '../../db/insert-messages.ts';
import { lockMailboxes } from '../../db/messages.ts';
import { acceptThread, lockWaiting, moveToInbox } from '../../db/request-messages.ts';
import { messageNotice } from '../../domain/message-notice.ts';
import { heardAddress } from '../../domain/stored-address.ts';
import { messageSent } from '../../events/message-sent.ts';
import { mailboxTopic } from '../../topics.ts';
import { answerTo } from './answer-to.ts';
import type { RequestMessagesContext, RequestMessagesHandlers } from './context.ts';
import { waitingMessage } from './waiting-thread.ts';

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
