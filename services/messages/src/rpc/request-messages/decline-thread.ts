import { notFound } from '@hearth/errors';
import { Box } from '@hearth/proto/messages/v1/messages';
import { insertMessages } from '../../db/insert-messages.ts';
import { hideMessage, lockMailboxes } from '../../db/messages.ts';
import { endWait, lockWaiting, type RequestRow } from '../../db/request-messages.ts';
import { politeNo } from '../../domain/boxes.ts';
import { mailboxTopic } from '../../topics.ts';
import { answerTo } from './answer-to.ts';
import type { RequestMessagesContext, RequestMessagesHandlers } from './context.ts';
import { waitingMessage } from './waiting-thread.ts';

/** The polite no is a message of whom the sender wrote to; it makes nobody known to anybody. */
export const declineThread =
  (context: RequestMessagesContext): RequestMessagesHandlers['declineThread'] =>
  async (request, call) => {
    const { clock, database, outbox } = context;
    const { viewer, row } = await waitingMessage(context, request);
    const words = request.note === '' ? politeNo : request.note;
    const answer = request.silent ? null : await answerTo(context, row, words, false, call);
    const declined = await database.transaction(async (tx) => {
      await lockMailboxes(tx, [row.recipient, row.sender]);
      const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
      if (rows.length === 0) throw notFound();
      await endWait(tx, row.recipient, rows, new Date(clock.now()));
      if (answer !== null) await insertMessages(tx, [answer]);
      // In whose name a guardian says no, they never hear of it.
      if (answer !== null && isGuardians(row)) await hideMessage(tx, row.recipient, answer.id, answer.at);
      return rows.length;
    });
    if (answer?.event) outbox.committed([answer.event]);
    outbox.wake([mailboxTopic(row.recipient), ...viewer.holders.map(mailboxTopic)]);
    return { declined };
  };

function isGuardians({ holder, box }: RequestRow): boolean {
  return holder !== null && box === Box.REQUESTS;
}
