import type { Db, Tx } from '@hearth/db';

export interface BlockNote {
  owner: string;
  target: string;
  blocked: boolean;
  at: Date;
}

/** The latest change counts, in whichever order the events arrive. */
export async function noteBlock(tx: Tx, { owner, target, blocked, at }: BlockNote): Promise<void> {
  await tx.execute({
    name: 'messages_note_block',
    text: `
      insert into messages.blocks as b (owner, target, blocked, changed_at) values ($1, $2, $3, $4)
      on conflict (owner, target) do update set blocked = excluded.blocked, changed_at = excluded.changed_at
      where b.changed_at <= excluded.changed_at`,
    values: [owner, target, blocked, at],
  });
}

/** uuids that the owner blocks; at most `limit`. */
export async function blockedBy(db: Db, owner: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ target: string }>({
    name: 'messages_blocked_by',
    text: `
      select target from messages.blocks where owner = $1 and blocked order by changed_at desc limit $2`,
    values: [owner, limit],
  });
  return rows.map(({ target }) => target);
}
