import type { Tx } from './types.ts';

/**
 * Changes many rows a batch at a time, each in its own transaction, until a batch is not full.
 *
 * @param transaction of a database, or a `commit`
 * @param size the most rows of a batch
 * @param change changes at most `size` rows, and returns how many
 */
export async function inBatches<T extends Tx = Tx>(
  { transaction }: { transaction(work: (tx: T) => Promise<number>): Promise<number> },
  size: number,
  change: (tx: T, size: number) => Promise<number>,
): Promise<void> {
  let changed: number;
  do {
    changed = await transaction((tx) => change(tx, size));
  } while (changed === size);
}
