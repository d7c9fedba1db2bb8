import { notFound } from '@hearth/errors';
import { itemsChanged } from '@hearth/items';
import { Box } from '@hearth/proto/messages/v1/messages';
import type { Call } from '@hearth/rpc';
import { insertMessages } from '../../shared/db/insert-messages.ts';
import { lockMailboxes } from '../../shared/db/mailboxes.ts';
import { hideMessage } from '../../shared/db/messages.ts';
import { politeNo } from '../../shared/domain/polite-no.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { endWait, lockWaiting, type RequestRow } from '../db/request-messages.ts';
import { closing } from '../domain/closing.ts';
import { composeAnswer } from './compose-answer.ts';
import type { Waiting } from './waiting-message.ts';

/** Ends what waits of a thread. The polite no comes from the recipient and makes no contacts. */
export async function declineThread(
  context: Context,
  { viewer, row }: Waiting,
  { note, silent }: { note: string; silent: boolean },
  call: Call,
): Promise<number> {
  const { clock, commit, items } = context;
  const answer = silent ? null : await composeAnswer(context, row, note || politeNo, false, call);
  const declined = await commit(async (tx) => {
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
    tx.wake(...[row.recipient, ...viewer.holders].map(mailboxTopic));
    return rows;
  });
  await items.note(closing(declined));
  return declined.length;
}

function isGuardians({ holder, box }: RequestRow): boolean {
  return holder !== null && box === Box.REQUESTS;
}
