import { notFound } from '@hearth/errors';
import { Box } from '@hearth/proto/messages/v1/messages';
import type { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { UnaryHandler } from '@hearth/rpc';
import { insertMessages } from '../../shared/db/insert-messages.ts';
import { lockMailboxes } from '../../shared/db/mailboxes.ts';
import { hideMessage } from '../../shared/db/messages.ts';
import { politeNo } from '../../shared/domain/polite-no.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { composeAnswer } from '../actions/compose-answer.ts';
import { waitingMessage } from '../actions/waiting-message.ts';
import type { Context } from '../context.ts';
import { endWait, lockWaiting, type RequestRow } from '../db/request-messages.ts';

/** The polite no comes from the recipient and makes no contacts. */
export const declineThread =
  (context: Context): UnaryHandler<typeof RequestMessagesService.method.declineThread> =>
  async (request, call) => {
    const { clock, commit } = context;
    const { viewer, row } = await waitingMessage(context, request);
    const text = request.note === '' ? politeNo : request.note;
    const answer = request.silent ? null : await composeAnswer(context, row, text, false, call);
    return await commit(async (tx) => {
      await lockMailboxes(tx, row.recipient, row.sender);
      const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
      if (rows.length === 0) throw notFound();
      await endWait(tx, row.recipient, rows, new Date(clock.now()));
      if (answer !== null) {
        const { message, sent } = answer;
        await insertMessages(tx, [message]);
        // A person under 18 does not see the no that their guardian says in their name.
        if (isGuardians(row)) await hideMessage(tx, row.recipient, message.id, message.at);
        tx.announce(sent);
      }
      tx.wake(...[row.recipient, ...viewer.holders].map(mailboxTopic));
      return { declined: rows.length };
    });
  };

function isGuardians({ holder, box }: RequestRow): boolean {
  return holder !== null && box === Box.REQUESTS;
}
