import { organizedNow } from '../../shared/actions/know-people.ts';
import type { Context } from '../context.ts';
import { findReviews } from '../db/decisions.ts';
import { newParticipant } from '../domain/decision.ts';

const batch = 100;

/** Reminds organizers, on the day they chose, to look at an outcome again. */
export async function tellReviews(context: Context): Promise<void> {
  const { clock, database, things } = context;
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  let found: string[];
  do {
    found = await findReviews(database.db, day, batch);
    for (const id of found) {
      const agreed = await things.find(id);
      if (agreed !== null) await organizedNow({ ...context, newcomer: newParticipant }, agreed, true);
      await things.act(id, ({ row }) =>
        row.review_told ? null : { tells: 'look_again', notes: { review_told: true } },
      );
    }
  } while (found.length === batch);
}
