import type { Tx } from '@hearth/db';

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
  const rows = await tx.query<{ id: string }>({
    name: `${table.replace('.', '_')}_claim_due`,
    text: `
      update ${table} set claimed_until = $2
      where id in (
        select id from ${table}
        where due_at <= $1 and (claimed_until is null or claimed_until <= $1)
        order by due_at limit $3 for update skip locked)
      returning id`,
    values: [now, until, limit],
  });
  return rows.map(({ id }) => id);
}
