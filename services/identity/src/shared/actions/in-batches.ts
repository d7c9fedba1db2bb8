import type { Database, Tx } from '@hearth/db';

/** Removes what there is to remove, each batch in a transaction of its own, until one is not full. */
export async function inBatches(
  database: Database,
  batch: number,
  remove: (tx: Tx) => Promise<number>,
): Promise<void> {
  let removed: number;
  do {
    removed = await database.transaction(remove);
  } while (removed === batch);
}
