import { type Db, fragment, named, type Tx } from '@hearth/db';

export interface ThreadRow {
  id: string;
  other: string;
  other_address: string;
  last_seq: number;
  last_at: Date;
  box: number;
  /** At most 1,000. */
  unread: number;
}

const columns = fragment`
  t.id, t.other, t.other_address, t.last_seq, t.last_at, t.box,
  (select count(*)::int from (
    select 1 from messages.messages m
    where m.thread = t.id and m.recipient = t.owner
      and m.read_at is null and m.retracted_at is null and m.recipient_deleted_at is null and m.holder is null
    limit 1000) counted) as unread`;

export function findThread(db: Db, owner: string, id: string): Promise<ThreadRow | null> {
  return db.maybeOne<ThreadRow>(named('messages_find_thread')`
    select ${columns} from messages.threads t where t.owner = ${owner} and t.id = ${id}`);
}

/** Whether the owner accepted the thread from their requests. */
export async function isAccepted(db: Db, owner: string, id: string): Promise<boolean> {
  const row = await db.maybeOne(named('messages_is_accepted')`
    select 1 as accepted from messages.threads where owner = ${owner} and id = ${id} and accepted`);
  return row !== null;
}

/** Whether a thread has any messages, visible to anyone or not. */
export async function hasMessages(db: Db, id: string): Promise<boolean> {
  const row = await db.maybeOne(named('messages_thread_has_messages')`
    select 1 as found from messages.messages where thread = ${id} limit 1`);
  return row !== null;
}

/** The owner's threads, latest message first. */
export function listThreads(
  db: Db,
  owner: string,
  before: number | null,
  limit: number,
): Promise<ThreadRow[]> {
  return db.query<ThreadRow>(named('messages_list_threads')`
    select ${columns} from messages.threads t
    where t.owner = ${owner} and t.last_seq < coalesce(${before}::bigint, 9223372036854775807)
    order by t.last_seq desc limit ${limit}`);
}

/** Removes the parties from their threads and revokes those threads' acceptance. */
export async function leaveThreads(tx: Tx, parties: readonly string[], before: Date): Promise<void> {
  await tx.execute(named('messages_leave_threads')`
    with left_ones as (
      delete from messages.threads
      where owner = any(${parties}::uuid[]) and last_at <= ${before} returning id, other)
    update messages.threads t set accepted = false
    from left_ones l where t.owner = l.other and t.id = l.id`);
}
