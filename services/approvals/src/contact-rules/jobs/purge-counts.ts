import { day } from '@hearth/clock';
import type { Context } from '../context.ts';
import { deleteCountsBefore } from '../db/rule-counts.ts';
import { weekOf } from '../domain/week.ts';

const keptMs = 56 * day;

/** Deletes the counts of old weeks. */
export async function purgeCounts({ clock, database }: Context): Promise<void> {
  await database.statement((tx) => deleteCountsBefore(tx, weekOf(clock.now() - keptMs)));
}
