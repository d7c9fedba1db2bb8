import { named } from './sql.ts';
import type { Tx } from './types.ts';

/**
 * Until `tx` ends, no other transaction that locks that name goes on from here: where there is no row to lock, or not yet.
 *
 * @param name unique within the home, with the schema or the subject first: "approvals.rules <person>"
 */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await lockNames(tx, [name]);
}

/** Locks several names, in one order everywhere, so that two who lock the same wait for each other and cannot deadlock. */
export async function lockNames(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.execute(named('lock_names')`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(name, 0) as key from unnest(${names}::text[]) name order by key) k`);
}
