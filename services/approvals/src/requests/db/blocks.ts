import { type Db, fragment, lockName, named, type Tx } from '@hearth/db';

export interface BlockRow {
  /** uuid of the person, or of an AI without an owner. */
  person: string;
  /** An address, @home for a whole home, or a child's per_ id. */
  target: string;
  /** uuid of the party with that address; null for a home, or an unknown party. */
  targetId: string | null;
  reason: string | null;
  at: Date;
}

const columns = fragment`person, target, target_id as "targetId", reason, at`;

/**
 * Upserts a block. Blocking again keeps the time of the first block, and replaces the reason if a new one is
 * given.
 */
export async function saveBlock(tx: Tx, block: BlockRow): Promise<BlockRow> {
  return await tx.one<BlockRow>(named('approvals_save_block')`
    insert into approvals.blocks as b (person, target, target_id, reason, at)
      values (${block.person}, ${block.target}, ${block.targetId}, ${block.reason}, ${block.at})
    on conflict (person, target) do update set
      target_id = excluded.target_id, reason = coalesce(excluded.reason, b.reason)
    returning ${columns}`);
}

/** Lifts the blocks of the address, or of its current owner, and returns them. */
export async function deleteBlocks(
  tx: Tx,
  person: string,
  target: string,
  targetId: string | null,
): Promise<BlockRow[]> {
  return await tx.query<BlockRow>(named('approvals_delete_blocks')`
    delete from approvals.blocks
    where person = ${person} and (target = ${target} or target_id = ${targetId}::uuid)
    returning ${columns}`);
}

/** Newest first. */
export async function listBlocks(
  db: Db,
  person: string,
  after: { at: Date; target: string } | null,
  limit: number,
): Promise<BlockRow[]> {
  return await db.query<BlockRow>({
    name: 'approvals_list_blocks',
    text: `
      select ${columns} from approvals.blocks
      where person = $1 and (at, target) < ($2::timestamptz, $3::text)
      order by at desc, target desc limit $4`,
    // The first page starts after all times.
    values: [person, after?.at ?? 'infinity', after?.target ?? '', limit],
  });
}

/** Serializes a person's (uuid) block changes until `tx` ends, so that their count is exact. */
export async function lockBlocksOf(tx: Tx, person: string): Promise<void> {
  await lockName(tx, `approvals.blocks ${person}`);
}

export async function countBlocks(db: Db, person: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(named('approvals_count_blocks')`
    select count(*)::int as count from approvals.blocks where person = ${person}`);
  return count;
}

/** The owners and holders among these items who block a sender of theirs: uuids. */
export async function findBlocksAmong(
  db: Db,
  items: readonly { owner: string; holder: string | null; senders: readonly string[] }[],
): Promise<{ person: string; sender: string }[]> {
  if (items.length === 0) return [];
  return await db.query({
    name: 'approvals_find_blocks_among',
    text: `
      select distinct b.person, b.target_id as sender
      from jsonb_to_recordset($1::jsonb) as i (owner uuid, holder uuid, senders uuid[])
        join approvals.blocks b on b.person in (i.owner, i.holder) and b.target_id = any(i.senders)`,
    values: [JSON.stringify(items.map(({ owner, holder, senders }) => ({ owner, holder, senders })))],
  });
}
