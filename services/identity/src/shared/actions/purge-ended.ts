import { day } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import type { Host } from '@hearth/runtime';
import { deleteEndedBefore, type EndingTable } from '../db/ended-rows.ts';

const batch = 1_000;

/** For so long a caller with a key that ended is told so; after it the key is unknown. */
export const keysKeptMs = 90 * day;

/** Removes the rows of a table that ended longer ago than they are kept. */
export async function purgeEnded(
  { clock, database }: Pick<Host, 'clock' | 'database'>,
  table: EndingTable,
  keptMs = 0,
): Promise<void> {
  const before = new Date(clock.now() - keptMs);
  await inBatches(database, batch, (tx, size) => deleteEndedBefore(tx, table, before, size));
}
