import { day } from '@hearth/clock';
import type { Context } from '../context.ts';
import { deleteDeparturesBefore } from '../db/departures.ts';

const keptDays = 90;
const batch = 1_000;

/** Forgets what became of the groups of people who are long gone: identity has heard it by then. */
export async function purgeDepartures({ clock, database }: Context): Promise<void> {
  const before = new Date(clock.now() - keptDays * day);
  let removed: number;
  do {
    removed = await database.transaction((tx) => deleteDeparturesBefore(tx, before, batch));
  } while (removed === batch);
}
