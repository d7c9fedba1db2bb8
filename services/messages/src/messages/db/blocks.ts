import { type Db, named, type Tx } from '@hearth/db';

export interface BlockNote {
  owner: string;
  target: string;
  blocked: boolean;
  at: Date;
}

/** The latest change wins, in whatever order the events arrive. */
export async function noteBlock(tx: Tx, { owner, target, blocked, at }: BlockNote): Promise<void> {
  await tx.execute(named('messages_note_block')`
    insert into messages.blocks as b (owner, target, blocked, changed_at)
      values (${owner}, ${target}, ${blocked}, ${at})
    on conflict (owner, target) do update set blocked = excluded.blocked, changed_at = excluded.changed_at
    where b.changed_at <= excluded.changed_at`);
}

/** At most `limit` uuids that the owner blocks. */
export async function blockedBy(db: Db, owner: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ target: string }>(named('messages_blocked_by')`
    select target from messages.blocks where owner = ${owner} and blocked order by changed_at desc
      limit ${limit}`);
  return rows.map(({ target }) => target);
}
