import type { Tx } from '@hearth/db';

/** Rows that settled and whose record is not signed. The table has `settled_at` and `claimed_until`. */
export interface Unsigned {
  /** With its schema: `decisions.decisions`. */
  table: string;
  /** A condition on its columns. */
  where: string;
}

/** Leases rows that settled before `before`: at most `limit` uuids, until `until`. */
export async function claimUnsigned(
  tx: Tx,
  { table, where }: Unsigned,
  { before, now, until, limit }: { before: Date; now: Date; until: Date; limit: number },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: `${table.replace('.', '_')}_claim_unsigned`,
    text: `
      update ${table} set claimed_until = $3
      where id in (
        select id from ${table}
        where ${where} and settled_at <= $1 and (claimed_until is null or claimed_until <= $2)
        order by settled_at limit $4 for update skip locked)
      returning id`,
    values: [before, now, until, limit],
  });
  return rows.map(({ id }) => id);
}
