import { day } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import type { Context } from '../context.ts';
import { deleteAppKeysEndedBefore } from '../db/app-keys.ts';

/** For so long a caller with a key that ended is told so; after it the key is unknown. */
const keptForMs = 90 * day;
const batch = 1_000;

export async function purgeAppKeys({ clock, database }: Pick<Context, 'clock' | 'database'>): Promise<void> {
  const before = new Date(clock.now() - keptForMs);
  await inBatches(database, batch, (tx, size) => deleteAppKeysEndedBefore(tx, before, size));
}
