import { eachDue } from '../../shared/actions/each-due.ts';
import { advanceNow } from '../actions/find-visible.ts';
import type { Context } from '../context.ts';

/** Ends the offers whose time is over. */
export async function advanceDue(context: Context): Promise<void> {
  await eachDue(context, 'decisions.offers', (id) => advanceNow(context, id));
}
