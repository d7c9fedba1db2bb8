import { fragment, type Lease, leaseRows, raw, type Tx } from '@hearth/db';

/** Settled rows without a signed record. The table has `settled_at` and `claimed_until`. */
export interface Unsigned {
  /** With its schema, such as `decisions.decisions`. */
  table: string;
  /** A condition on its columns. */
  where: string;
}

/** When the next of these rows will have been settled for this many milliseconds. */
export const nextUnsigned = ({ table, where }: Unsigned, graceMs: number) => fragment`
  select min(settled_at) + interval '${raw(graceMs)} milliseconds' from ${raw(table)} where ${raw(where)}`;

/** Leases at most `limit` rows that settled before `before`, until `until`. Returns their uuids. */
export async function claimUnsigned(
  tx: Tx,
  { table, where }: Unsigned,
  { before, ...lease }: Lease & { before: Date },
): Promise<string[]> {
  const name = `${table.replace('.', '_')}_claim_unsigned`;
  const settled = fragment`${raw(where)} and settled_at <= ${before}`;
  return await leaseRows(tx, { name, table, where: settled, by: 'settled_at' }, lease);
}
