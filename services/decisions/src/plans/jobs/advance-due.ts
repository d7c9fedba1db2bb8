import { eachDue } from '../../shared/actions/each-due.ts';
import { advanceNow } from '../actions/advance.ts';
import type { Context } from '../context.ts';

/** Does what is due about plans: their deadlines, and the end of their last option. */
export async function advanceDue(context: Context): Promise<void> {
  await eachDue(context, 'decisions.plans', (id) => advanceNow(context, id));
}
