import { named } from './sql.ts';
import type { Tx } from './types.ts';

/**
 * Until `tx` ends, no other transaction that locks that name goes on from here: where there is no row to lock, or not yet.
 *
 * @param name unique within the home, with the schema or the subject first: "approvals.rules <person>"
 */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await tx.execute(named('lock_name')`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}
