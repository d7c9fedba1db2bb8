import { lookAgain } from '../actions/look-again.ts';
import type { Context } from '../context.ts';
import { deleteUnplaced, listUnplaced } from '../db/items.ts';

const batch = 100;

/** Places pending invites that are older than items. */
export async function placeInvites(context: Context): Promise<void> {
  const { database } = context;
  for (;;) {
    const unplaced = await listUnplaced(database.db, batch);
    await lookAgain(context, unplaced);
    for (const { id } of unplaced) await database.statement((tx) => deleteUnplaced(tx, id));
    if (unplaced.length < batch) return;
  }
}
