import { day } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import type { Context } from '../context.ts';
import { purgeClosed } from '../db/items.ts';

/** Longer than the bus keeps an event that could place a closed item. */
const keptMs = 9 * day;
const batch = 500;

export async function purgeItems({ clock, database }: Context): Promise<void> {
  const before = new Date(clock.now() - keptMs);
  await inBatches(database, batch, (tx, size) => purgeClosed(tx, before, size));
}
