import { named } from './sql.ts';
import type { Tx } from './types.ts';

/**
 * Locks a name until the end of the transaction, for cases where there is no row to lock.
 *
 * @param name unique within the home, with the schema or the subject first: "approvals.rules <person>"
 */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await lockNames(tx, [name]);
}

/** Locks several names in one global order, so that transactions wait for each other instead of deadlocking. */
export async function lockNames(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.execute(named('lock_names')`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(name, 0) as key from unnest(${names}::text[]) name order by key) k`);
}
