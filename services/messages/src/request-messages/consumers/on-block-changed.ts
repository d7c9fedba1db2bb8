import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import { noteBlock } from '../../shared/db/blocks.ts';
import { lockMailboxes } from '../../shared/db/mailboxes.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import {
  type BlockedSender,
  endWait,
  lockWaitingFrom,
  mailboxesWithWaiting,
} from '../db/request-messages.ts';

/**
 * Notes each block for AIs without an owner, whose senders ask no other service, and removes what waits from a blocked
 * sender. The sender gets no answer.
 */
export const onBlockChanged = (context: Context) => ({
  durable: 'blocks',
  types: ['blocked', 'unblocked'],
  async handle(events: ReceivedEvent[]): Promise<void> {
    for (const { event } of events) {
      const { at, data } = event;
      if (data.case !== 'blocked' && data.case !== 'unblocked') continue;
      const { person, target, targetId } = data.value;
      const blocked = data.case === 'blocked';
      if (targetId !== '') {
        const changedAt = at === undefined ? new Date(context.clock.now()) : timestampDate(at);
        await context.commit.statement(async (tx) => {
          tx.signal('message_blocks', person);
          await noteBlock(tx, { owner: person, target: targetId, blocked, at: changedAt });
        });
      }
      const sender = { id: targetId === '' ? null : targetId, address: target };
      if (blocked) await removeWaiting(context, person, sender);
    }
  },
});

async function removeWaiting(
  { clock, commit, database }: Context,
  person: string,
  sender: BlockedSender,
): Promise<void> {
  for (const mailbox of await mailboxesWithWaiting(database.db, person, sender)) {
    await commit(async (tx) => {
      await lockMailboxes(tx, mailbox);
      const rows = await lockWaitingFrom(tx, person, sender, mailbox);
      await endWait(tx, mailbox, rows, new Date(clock.now()));
      tx.wake(mailboxTopic(mailbox));
    });
  }
}
