import { named, type Tx } from '@hearth/db';

/**
 * Locks mailboxes for a write that changes what is unread: no message arrives meanwhile, and such writes run
 * one at a time. The lock order is that of the statement that writes messages.
 */
export async function lockMailboxes(tx: Tx, ...owners: readonly string[]): Promise<void> {
  await tx.query(named('messages_lock_mailboxes')`
    select 1 from messages.mailboxes where owner = any(${owners}::uuid[]) order by owner for update`);
}

export async function lowerUnread(tx: Tx, owner: string, by: number): Promise<void> {
  if (by === 0) return;
  await tx.execute(named('messages_lower_unread')`
    update messages.mailboxes set unread = unread - ${by} where owner = ${owner}`);
}
