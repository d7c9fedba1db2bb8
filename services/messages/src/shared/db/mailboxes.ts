import type { Tx } from '@hearth/db';

/**
 * For a write that changes what is unread: no message arrives meanwhile, and two such writes run one after the other.
 * Several mailboxes are locked in the same order as by the statement that writes messages.
 */
export async function lockMailboxes(tx: Tx, ...owners: readonly string[]): Promise<void> {
  await tx.query({
    name: 'messages_lock_mailboxes',
    text: `select 1 from messages.mailboxes where owner = any($1::uuid[]) order by owner for update`,
    values: [owners],
  });
}

export async function lowerUnread(tx: Tx, owner: string, by: number): Promise<void> {
  if (by === 0) return;
  await tx.execute({
    name: 'messages_lower_unread',
    text: `update messages.mailboxes set unread = unread - $2 where owner = $1`,
    values: [owner, by],
  });
}
