import { inBatches } from '@hearth/db';
import { itemsChanged } from '@hearth/items';
import type { UnitOfWork } from '@hearth/outbox';
import type { Context } from '../context.ts';
import { takeEarlier } from '../db/earlier.ts';
import { toItem } from '../domain/to-item.ts';

const batch = 200;

/** Announces items for messages that were waiting before items existed. */
export async function noteEarlier({ commit }: Context): Promise<void> {
  await inBatches<UnitOfWork>({ transaction: commit }, batch, async (tx, size) => {
    const rows = await takeEarlier(tx, size);
    const placed = rows.filter(({ waiting }) => waiting).map(toItem);
    if (placed.length > 0) tx.announce(itemsChanged({ placed }));
    return rows.length;
  });
}
