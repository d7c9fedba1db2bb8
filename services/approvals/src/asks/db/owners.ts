import { type Db, named, type Tx } from '@hearth/db';

/**
 * Assigns the AI's asks to that person; to no one if null.
 *
 * @param keys uuids under which the asks may be stored: the AI and its former owner
 */
export async function giveAsksOf(
  tx: Tx,
  { ai, keys, person }: { ai: string; keys: readonly string[]; person: string | null },
): Promise<void> {
  await tx.execute(named('approvals_give_asks_of')`
    update approvals.approvals set asker_person = ${person}
    where asker_key = any(${keys}::uuid[]) and asker = ${ai} and home is null
      and asker_person is distinct from ${person}::uuid`);
}

/** uuids of the asks that wait for a local AI. */
export async function findWaitingAt(db: Db, ai: string): Promise<string[]> {
  const rows = await db.query<{ approval: string }>(named('approvals_find_waiting_at')`
    select r.approval from approvals.recipients r
    where r.recipient = ${ai} and r.kind = 'ai' and r.decision = 'waiting' and r.status = 'waiting'`);
  return rows.map(({ approval }) => approval);
}
