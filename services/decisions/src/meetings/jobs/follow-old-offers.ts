import { followMeetings } from '../actions/host-times.ts';
import type { Context } from '../context.ts';
import { deleteUnfollowed, listUnfollowed } from '../db/unfollowed.ts';

const batch = 100;

/** Closes times in old offers, made before their hosts' other meetings closed times. */
export async function followOldOffers(context: Context): Promise<void> {
  const { commit, database } = context;
  for (;;) {
    const viewers = await listUnfollowed(database.db, batch);
    for (const viewer of viewers)
      await commit(async (tx) => {
        await followMeetings(context, tx, [viewer]);
        await deleteUnfollowed(tx, viewer);
      });
    if (viewers.length < batch) return;
  }
}
