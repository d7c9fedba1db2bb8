import { nowDate } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import type { Context } from '../context.ts';
import { deleteExpiredNotes } from '../db/notes.ts';

const batch = 1_000;

/** An expired note is shown to no one; here it goes from the table as well. */
export async function expireNotes({ clock, database }: Pick<Context, 'clock' | 'database'>): Promise<void> {
  await inBatches(database, batch, (tx, size) => deleteExpiredNotes(tx, nowDate(clock), size));
}
