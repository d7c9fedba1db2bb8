import { sql, type Tx } from '@hearth/db';

/** Notes that a claimer put their AI in a group of theirs. */
export async function insertAiGroup(
  tx: Tx,
  { ai, group, putBy }: { ai: string; group: string; putBy: string },
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into identity.ai_groups (ai, "group", put_by, at) values (${ai}, ${group}, ${putBy}, ${now})
    on conflict do nothing`);
}

export async function deleteAiGroups(tx: Tx, ai: string): Promise<void> {
  await tx.execute(sql`delete from identity.ai_groups where ai = ${ai}`);
}
