import { type Db, fragment, named, type Tx } from '@hearth/db';
import { unreadOf } from './messages.ts';

/** A pending request to mark a thread as read, up to a position in it. */
export interface Reading {
  owner: string;
  thread: string;
  up_to: number;
  read_at: Date;
}

/** The number of messages marked per transaction, which bounds its duration in long threads. */
export const readAtOnce = 1_000;

/** Marks the oldest batch of messages. Returns the count. */
export function markSome(tx: Tx, { owner, read_at, thread, up_to }: Reading): Promise<number> {
  return tx.execute(named('messages_mark_some')`
    update messages.messages set read_at = ${read_at}
    where id in (
      select id from messages.messages
      where ${unreadOf(owner)} and thread = ${thread} and thread_seq <= ${up_to}
      order by thread_seq limit ${readAtOnce})`);
}

/** Stores the rest of the request for the job. */
export async function keepReading(tx: Tx, { owner, read_at, thread, up_to }: Reading): Promise<void> {
  await tx.execute(named('messages_keep_reading')`
    insert into messages.reading as r (owner, thread, up_to, read_at) values (${owner}, ${thread}, ${up_to}, ${read_at})
    on conflict (owner, thread) do update set up_to = greatest(r.up_to, excluded.up_to)`);
}

export async function endReading(tx: Tx, { owner, thread, up_to }: Reading): Promise<void> {
  await tx.execute(named('messages_end_reading')`
    delete from messages.reading where owner = ${owner} and thread = ${thread} and up_to <= ${up_to}`);
}

export const nextReading = fragment`select min(read_at) from messages.reading`;

export function findReading(db: Db): Promise<Reading | null> {
  return db.maybeOne<Reading>(named('messages_find_reading')`
    select owner, thread, up_to, read_at from messages.reading order by read_at limit 1`);
}
