import { type Clock, day } from '@hearth/clock';
import type { Database, Tx } from '@hearth/db';
import { deleteKeysEndedBefore } from '../../shared/db/keys.ts';

/** For so long whoever still uses a key that ended is told so; after it, it is a key like any that never was. */
const keptForMs = 90 * day;
const batch = 1_000;

export async function purgeKeys(database: Database, clock: Clock): Promise<void> {
  await purgeEnded(database, clock, deleteKeysEndedBefore);
}

/** @param remove removes at most so many that ended before that moment, and says how many it were */
export async function purgeEnded(
  database: Database,
  clock: Clock,
  remove: (tx: Tx, before: Date, limit: number) => Promise<number>,
): Promise<void> {
  let removed: number;
  do {
    const before = new Date(clock.now() - keptForMs);
    removed = await database.transaction((tx) => remove(tx, before, batch));
  } while (removed === batch);
}
