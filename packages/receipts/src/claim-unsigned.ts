import { fragment, type Lease, leaseRows, raw, type Tx } from '@hearth/db';

/** Rows that settled and whose record is not signed. The table has `settled_at` and `claimed_until`. */
export interface Unsigned {
  /** With its schema: `decisions.decisions`. */
  table: string;
  /** A condition on its columns. */
  where: string;
}

/** When one of them has had so many milliseconds since it settled. */
export const nextUnsigned = ({ table, where }: Unsigned, graceMs: number) => fragment`
  select min(settled_at) + interval '${raw(graceMs)} milliseconds' from ${raw(table)} where ${raw(where)}`;

/** Leases rows that settled before `before`: at most `limit` uuids, until `until`. */
export async function claimUnsigned(
  tx: Tx,
  { table, where }: Unsigned,
  { before, ...lease }: Lease & { before: Date },
): Promise<string[]> {
  const name = `${table.replace('.', '_')}_claim_unsigned`;
  const settled = fragment`${raw(where)} and settled_at <= ${before}`;
  return await leaseRows(tx, { name, table, where: settled, by: 'settled_at' }, lease);
}
