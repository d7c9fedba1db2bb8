import { nowDate } from '@hearth/clock';
import type { UnitOfWork } from '@hearth/outbox';
import type { Family, Hands, ItemSourceService, MoveItemsRequest } from '@hearth/proto/approvals/v1/items';
import { Box } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { lockMailboxes } from '../../shared/db/mailboxes.ts';
import { itemKey } from '../../shared/domain/items.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import {
  endWait,
  findWaiting,
  giveToOwner,
  lockWaitingOf,
  moveToInbox,
  moveToRequests,
  openThreads,
  passToHolder,
  type RequestRow,
} from '../db/request-messages.ts';
import { sentToRecipient } from '../domain/sent-to-recipient.ts';
import { toItem } from '../domain/to-item.ts';

type Target = MoveItemsRequest['to'];

/**
 * Moves or ends waiting messages after a change of owner, front door or guardians; their senders are not
 * notified.
 */
export const moveItems =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.moveItems> =>
  async ({ keys, to }) => {
    const { commit, database } = context;
    const ids = keys.map(({ id }) => id);
    const before = await findWaiting(database.db, ids);
    for (const mailbox of new Set(before.map(({ recipient }) => recipient))) {
      await commit(async (tx) => {
        await lockMailboxes(tx, mailbox);
        const rows = await lockWaitingOf(tx, mailbox, ids);
        if (await move(context, tx, mailbox, rows, to)) tx.wake(mailboxTopic(mailbox));
      });
    }
    const after = await findWaiting(database.db, ids);
    const open = new Set(after.map(({ id }) => id));
    const closed = ids.filter((id) => !open.has(id)).map((id) => itemKey({ id }));
    return { change: { placed: after.map(toItem), closed } };
  };

/** Returns whether anything changed. */
async function move(
  { clock }: Context,
  tx: UnitOfWork,
  mailbox: string,
  waiting: readonly RequestRow[],
  to: Target,
): Promise<boolean> {
  const rows = waiting.filter((row) => isConcerned(row, to));
  if (rows.length === 0) return false;
  if (to.case === 'hands') {
    await changeHands(tx, rows, to.value, nowDate(clock));
    return true;
  }
  const next = to.case === 'family' ? to.value.answering[0] : undefined;
  if (to.case === 'owner' || next === mailbox) await moveToRequests(tx, mailbox, rows, nowDate(clock));
  else if (next !== undefined) await passToHolder(tx, rows, next);
  // Hidden from a person under 18 without a guardian.
  else await endWait(tx, mailbox, rows, nowDate(clock));
  return true;
}

function isConcerned(row: RequestRow, to: Target): boolean {
  switch (to.case) {
    case 'owner':
      return row.box === Box.FRONT_DOOR;
    case 'family':
      return row.box === Box.REQUESTS && isElsewhere(row, to.value);
    case 'hands':
      return row.recipient === to.value.ai && row.person !== to.value.owner;
    default:
      return to.case === 'end';
  }
}

/**
 * An AI's waiting messages go to its new owner. An AI without an owner gets them all in its inbox; one of a
 * person under 18 gets none from strangers.
 */
async function changeHands(
  tx: UnitOfWork,
  rows: readonly RequestRow[],
  { ai, minor, owner }: Hands,
  at: Date,
): Promise<void> {
  if (minor) return await endWait(tx, ai, rows, at);
  if (owner !== '') {
    await moveToRequests(tx, ai, rows, at);
    return await giveToOwner(tx, rows, owner);
  }
  await moveToInbox(tx, ai, rows, at);
  await openThreads(tx, rows, Box.INBOX);
  // A held message is new to the AI.
  tx.announce(...rows.filter(({ holder }) => holder !== null).map((row) => sentToRecipient(row)));
}

function isElsewhere({ holder, recipient }: RequestRow, { answering, child, suspended }: Family): boolean {
  if (recipient !== child || holder === null) return false;
  return !answering.includes(holder) || suspended.includes(holder);
}
