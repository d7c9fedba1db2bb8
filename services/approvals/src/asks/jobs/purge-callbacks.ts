import { day } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import type { Context } from '../context.ts';
import { deleteCallbacksBefore } from '../db/callbacks.ts';

const keptMs = 30 * day;
const batch = 500;

/** Deletes callbacks that ended a month ago. */
export async function purgeCallbacks({ clock, database }: Context): Promise<void> {
  const before = new Date(clock.now() - keptMs);
  await inBatches(database, batch, (tx, size) => deleteCallbacksBefore(tx, before, size));
}
