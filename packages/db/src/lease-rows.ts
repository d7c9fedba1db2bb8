import { type Fragment, named, raw } from './sql.ts';
import type { Tx } from './types.ts';

/** Rows that wait for a job, in a table with the column `claimed_until`. */
interface LeaseQueue {
  name: string;
  /** With its schema. */
  table: string;
  /** A condition on its columns. */
  where: Fragment;
  /** The column that orders the rows. */
  by: string;
}

export interface Lease {
  now: Date;
  until: Date;
  limit: number;
}

/** Leases at most `limit` rows until `until`; returns their uuids. */
export async function leaseRows(
  tx: Tx,
  { name, table, where, by }: LeaseQueue,
  { now, until, limit }: Lease,
): Promise<string[]> {
  // A lease beyond this time was taken before the clock was set back.
  const farthest = new Date(now.getTime() + 10 * (until.getTime() - now.getTime()));
  const rows = await tx.query<{ id: string }>(named(name)`
    update ${raw(table)} set claimed_until = ${until}
    where id in (
      select id from ${raw(table)}
      where ${where} and (claimed_until is null or claimed_until <= ${now} or claimed_until > ${farthest})
      order by ${raw(by)} limit ${limit} for update skip locked)
    returning id`);
  return rows.map(({ id }) => id);
}
