import { notFound } from '@hearth/errors';
import { itemsChanged } from '@hearth/items';
import type { UnitOfWork } from '@hearth/outbox';
import type { ItemKey } from '@hearth/proto/events/v1/events';
import type { Call } from '@hearth/rpc';
import { insertMessages } from '../../shared/db/insert-messages.ts';
import { lockMailboxes } from '../../shared/db/mailboxes.ts';
import { hideMessage } from '../../shared/db/messages.ts';
import { closing } from '../../shared/domain/items.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { lockWaiting, type RequestRow } from '../db/request-messages.ts';
import { composeAnswer } from './compose-answer.ts';
import { waitingItem } from './waiting-item.ts';

/**
 * Settles a waiting message and the other waiting messages of its thread, in one transaction with the answer
 * to the sender.
 *
 * @param answer its text (null for none), whether it makes the two contacts, and whether it is hidden from
 * the recipient
 * @param settle writes and announces the messages' new state
 * @throws not_found if the message is not, or no longer, waiting for the caller
 */
export async function settleThread(
  context: Context,
  { keys }: { keys: readonly ItemKey[] },
  answer: { text: string | null; acquaints: boolean; hidden?: (row: RequestRow) => boolean },
  call: Call,
  settle: (tx: UnitOfWork, row: RequestRow, rows: readonly RequestRow[]) => Promise<void>,
): Promise<void> {
  const { viewer, row } = await waitingItem(context, { keys }, call);
  const { text, acquaints, hidden } = answer;
  const written = text === null ? null : await composeAnswer(context, row, text, acquaints, call);
  const closed = await context.commit(async (tx) => {
    await lockMailboxes(tx, row.recipient, row.sender);
    const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
    if (rows.length === 0) throw notFound();
    await settle(tx, row, rows);
    tx.announce(itemsChanged(closing(rows)));
    if (written !== null) {
      const { message, sent } = written;
      await insertMessages(tx, [message]);
      if (hidden?.(row)) await hideMessage(tx, row.recipient, message.row.id, message.row.at);
      tx.announce(sent);
    }
    tx.wake(mailboxTopic(row.recipient), mailboxTopic(viewer.holder));
    return closing(rows);
  });
  await context.items.note(closed);
}
