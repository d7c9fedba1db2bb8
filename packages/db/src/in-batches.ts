import type { Database } from './database.ts';
import type { Tx } from './types.ts';

/**
 * Changes many rows a batch at a time, each in a transaction of its own, until a batch is not full.
 *
 * @param size the most rows of a batch
 * @param change changes at most `size` rows and answers how many
 */
export async function inBatches(
  database: Pick<Database, 'transaction'>,
  size: number,
  change: (tx: Tx, size: number) => Promise<number>,
): Promise<void> {
  let changed: number;
  do {
    changed = await database.transaction((tx) => change(tx, size));
  } while (changed === size);
}
