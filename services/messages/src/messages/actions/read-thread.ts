import type { UnitOfWork } from '@hearth/outbox';
import { lockMailboxes, lowerUnread } from '../../shared/db/mailboxes.ts';
import { mailboxTopic } from '../../shared/domain/topics.ts';
import { endReading, keepReading, markSome, type Reading, readAtOnce } from '../db/reading.ts';

/** Marks one batch of a thread's messages as read; stores the rest for the job `read-on`. */
export async function readSome(tx: UnitOfWork, reading: Reading): Promise<{ read: number; pending?: true }> {
  const { owner } = reading;
  await lockMailboxes(tx, owner);
  const read = await markSome(tx, reading);
  const isMore = read === readAtOnce;
  await (isMore ? keepReading : endReading)(tx, reading);
  await lowerUnread(tx, owner, read);
  if (read > 0) tx.wake(mailboxTopic(owner));
  return { read, ...(isMore && { pending: true }) };
}
