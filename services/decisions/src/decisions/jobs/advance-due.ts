import { eachDue } from '../../shared/actions/each-due.ts';
import { advanceNow } from '../actions/advance.ts';
import type { Context } from '../context.ts';

/** Closes decisions whose deadline is over, and does what else is due about them. */
export async function advanceDue(context: Context): Promise<void> {
  await eachDue(context, 'decisions.decisions', (id) => advanceNow(context, id));
}
