import { day } from '@hearth/clock';
import type { Context } from '../context.ts';
import { deleteCallbacksBefore } from '../db/callbacks.ts';

const keptMs = 30 * day;
const batch = 500;

/** Forgets callbacks that ended a month ago. */
export async function purgeCallbacks({
  clock,
  database,
}: Pick<Context, 'clock' | 'database'>): Promise<void> {
  const before = new Date(clock.now() - keptMs);
  let removed: number;
  do {
    removed = await database.statement((tx) => deleteCallbacksBefore(tx, before, batch));
  } while (removed === batch);
}
