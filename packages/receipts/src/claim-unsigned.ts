import { named, raw, type Tx } from '@hearth/db';

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
  const from = raw(table);
  const rows = await tx.query<{ id: string }>(named(`${table.replace('.', '_')}_claim_unsigned`)`
    update ${from} set claimed_until = ${until}
    where id in (
      select id from ${from}
      where ${raw(where)} and settled_at <= ${before} and (claimed_until is null
        or claimed_until <= ${now})
      order by settled_at limit ${limit} for update skip locked)
    returning id`);
  return rows.map(({ id }) => id);
}
