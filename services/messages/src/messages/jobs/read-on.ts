import { readSome } from '../actions/read-thread.ts';
import type { Context } from '../context.ts';
import { findReading } from '../db/reading.ts';

/** The number of batches before other jobs get a turn. */
const most = 20;

/** Continues pending requests to mark threads as read. Safe to run in several processes. */
export async function readOn({ commit, database }: Pick<Context, 'commit' | 'database'>): Promise<void> {
  for (let n = 0; n < most; n++) {
    const reading = await findReading(database.db);
    if (reading === null) return;
    await commit((tx) => readSome(tx, reading));
  }
}
