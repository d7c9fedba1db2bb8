import { type Clock, day } from '@hearth/clock';
import { type Database, inBatches } from '@hearth/db';
import { deleteKeysEndedBefore } from '../../shared/db/keys.ts';

/** For so long a caller with a key that ended is told so; after it the key is unknown. */
const keptForMs = 90 * day;
const batch = 1_000;

export async function purgeKeys(database: Database, clock: Clock): Promise<void> {
  const before = new Date(clock.now() - keptForMs);
  await inBatches(database, batch, (tx, size) => deleteKeysEndedBefore(tx, before, size));
}
