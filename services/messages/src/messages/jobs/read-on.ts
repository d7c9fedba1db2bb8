import { readSome } from '../actions/read-thread.ts';
import type { Context } from '../context.ts';
import { findReading } from '../db/reading.ts';

/** In a row, before other jobs have their turn. */
const most = 20;

/** Marks what requests to mark threads as read left. Several processes at it mark nothing twice. */
export async function readOn({ commit, database }: Pick<Context, 'commit' | 'database'>): Promise<void> {
  for (let n = 0; n < most; n++) {
    const reading = await findReading(database.db);
    if (reading === null) return;
    await commit((tx) => readSome(tx, reading));
  }
}
