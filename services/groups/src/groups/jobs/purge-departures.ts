import { day } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import type { Context } from '../context.ts';
import { deleteDeparturesBefore } from '../db/departures.ts';

const keptDays = 90;
const batch = 1_000;

/** Deletes old departures: identity has long asked for them. */
export async function purgeDepartures({ clock, database }: Context): Promise<void> {
  const before = new Date(clock.now() - keptDays * day);
  await inBatches(database, batch, (tx, size) => deleteDeparturesBefore(tx, before, size));
}
