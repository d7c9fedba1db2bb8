import { itemsChanged } from '@hearth/items';
import type { Context } from '../context.ts';
import { takeEarlier } from '../db/earlier.ts';
import { toItem } from '../domain/to-item.ts';

const batchSize = 200;

/** Announces the items of messages that waited before there were items. */
export async function noteEarlier({ commit }: Context): Promise<void> {
  let taken: number;
  do {
    taken = await commit(async (tx) => {
      const rows = await takeEarlier(tx, batchSize);
      const placed = rows.filter(({ waiting }) => waiting).map(toItem);
      if (placed.length > 0) tx.announce(itemsChanged({ placed }));
      return rows.length;
    });
  } while (taken === batchSize);
}
