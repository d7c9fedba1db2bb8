import { type Fragment, named, raw } from './sql.ts';
import type { Tx } from './types.ts';

/** Rows of a table, which has `claimed_until`, that wait for a job. */
interface LeaseQueue {
  name: string;
  /** With its schema. */
  table: string;
  /** A condition on its columns. */
  where: Fragment;
  /** The column in whose order they come. */
  by: string;
}

export interface Lease {
  now: Date;
  until: Date;
  limit: number;
}

/** Leases such rows: at most `limit` uuids, until `until`. */
export async function leaseRows(
  tx: Tx,
  { name, table, where, by }: LeaseQueue,
  { now, until, limit }: Lease,
): Promise<string[]> {
  // Rows that are leased until later than that were leased before the clock was set back.
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
