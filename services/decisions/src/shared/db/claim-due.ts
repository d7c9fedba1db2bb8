import { named, raw, type Tx } from '@hearth/db';

/** The tables of things that time changes. */
export type DueTable =
  | 'decisions.agreements'
  | 'decisions.decisions'
  | 'decisions.offers'
  | 'decisions.plans';

/** Leases rows that are due: at most `limit` uuids, until `until`. */
export async function claimDue(
  tx: Tx,
  table: DueTable,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(named(`${table.replace('.', '_')}_claim_due`)`
    update ${raw(table)} set claimed_until = ${until}
    where id in (
      select id from ${raw(table)}
      where due_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
      order by due_at limit ${limit} for update skip locked)
    returning id`);
  return rows.map(({ id }) => id);
}
