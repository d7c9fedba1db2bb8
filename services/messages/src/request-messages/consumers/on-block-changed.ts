import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Outbox } from '@hearth/outbox';
import type { Event } from '@hearth/proto/events/v1/events';
import { lockMailboxes } from '../../messages/db/messages.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import type { Blocks } from '../actions/blocks.ts';
import { noteBlock } from '../db/blocks.ts';
import {
  type BlockedSender,
  endWait,
  lockWaitingFrom,
  mailboxesWithWaiting,
} from '../db/request-messages.ts';

export const blockEvents = ['blocked', 'unblocked'];

interface Parts {
  clock: Clock;
  database: Database;
  outbox: Pick<Outbox, 'wake'>;
  blocks: Pick<Blocks, 'forget'>;
}

/** What waits from whom somebody blocks goes without a word; and who is blocked is noted for those who are asked by nobody. */
export async function followBlocks(parts: Parts, events: readonly Event[]): Promise<void> {
  for (const { at, data } of events) {
    if (data.case !== 'blocked' && data.case !== 'unblocked') continue;
    const { person, target, targetId } = data.value;
    const blocked = data.case === 'blocked';
    if (targetId !== '') {
      const moment = at === undefined ? new Date(parts.clock.now()) : timestampDate(at);
      await parts.database.statement((tx) =>
        noteBlock(tx, { owner: person, target: targetId, blocked, at: moment }),
      );
      parts.blocks.forget(person);
    }
    if (blocked) await sweep(parts, person, { id: targetId === '' ? null : targetId, address: target });
  }
}

async function sweep(
  { clock, database, outbox }: Parts,
  person: string,
  sender: BlockedSender,
): Promise<void> {
  for (const mailbox of await mailboxesWithWaiting(database.db, person, sender)) {
    await database.transaction(async (tx) => {
      await lockMailboxes(tx, [mailbox]);
      const rows = await lockWaitingFrom(tx, person, sender, mailbox);
      await endWait(tx, mailbox, rows, new Date(clock.now()));
    });
    outbox.wake([mailboxTopic(mailbox)]);
  }
}
