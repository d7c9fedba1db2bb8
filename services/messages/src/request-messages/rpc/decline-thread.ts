import { notFound } from '@hearth/errors';
import { Box } from '@hearth/proto/messages/v1/messages';
import { hideMessage, lockMailboxes } from '../../messages/db/messages.ts';
import { politeNo } from '../../messages/domain/placement.ts';
import { insertMessages } from '../../shared/db/insert-messages.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { answerTo } from '../actions/answer-to.ts';
import { waitingMessage } from '../actions/waiting-message.ts';
import type { RequestMessagesContext, RequestMessagesHandlers } from '../context.ts';
import { endWait, lockWaiting, type RequestRow } from '../db/request-messages.ts';

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
