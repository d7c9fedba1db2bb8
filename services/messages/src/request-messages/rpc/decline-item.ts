import { notFound } from '@hearth/errors';
import { itemsChanged } from '@hearth/items';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { Box } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { insertMessages } from '../../shared/db/insert-messages.ts';
import { lockMailboxes } from '../../shared/db/mailboxes.ts';
import { hideMessage } from '../../shared/db/messages.ts';
import { closing } from '../../shared/domain/items.ts';
import { politeNo } from '../../shared/domain/polite-no.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { composeAnswer } from '../actions/compose-answer.ts';
import { waitingItem } from '../actions/waiting-item.ts';
import type { Context } from '../context.ts';
import { endWait, lockWaiting, type RequestRow } from '../db/request-messages.ts';

/** The rest of its thread that waits goes with it. The polite no comes from the recipient and makes no contacts. */
export const declineItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.declineItem> =>
  async (request, call) => {
    const { clock, commit, items } = context;
    const { viewer, row } = await waitingItem(context, request, call);
    const text = request.note === '' ? politeNo : request.note;
    const answer = request.silent ? null : await composeAnswer(context, row, text, false, call);
    const closed = await commit(async (tx) => {
      await lockMailboxes(tx, row.recipient, row.sender);
      const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
      if (rows.length === 0) throw notFound();
      await endWait(tx, row.recipient, rows, new Date(clock.now()));
      tx.announce(itemsChanged(closing(rows)));
      if (answer !== null) {
        const { message, sent } = answer;
        await insertMessages(tx, [message]);
        // A person under 18 does not see the no that their guardian says in their name.
        if (isGuardians(row)) await hideMessage(tx, row.recipient, message.id, message.at);
        tx.announce(sent);
      }
      tx.wake(mailboxTopic(row.recipient), mailboxTopic(viewer.holder));
      return closing(rows);
    });
    await items.note(closed);
    return {};
  };

function isGuardians({ holder, box }: RequestRow): boolean {
  return holder !== null && box === Box.REQUESTS;
}
