import { eachDue } from '../../shared/actions/each-due.ts';
import { endQuestions } from '../actions/errands.ts';
import { advanceNow } from '../actions/find-visible.ts';
import type { Context } from '../context.ts';

/** Ends the agreements that can be signed no more. */
export async function advanceDue(context: Context): Promise<void> {
  await eachDue(context, 'decisions.agreements', async (id) => {
    await endQuestions(context, await advanceNow(context, id));
  });
}
