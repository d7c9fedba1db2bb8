import { isMinor } from '@hearth/people';
import type { ReceivedEvent } from '@hearth/runtime';
import { endOf } from '../actions/end-of.ts';
import type { Context } from '../context.ts';
import { passOn } from '../db/hands.ts';

/**
 * An AI that is claimed brings along what it offered and booked, and takes it back when the claim is undone. Where its person is
 * under 18 by then, that ends. Repeated it changes nothing.
 */
export const onHandsChanged = (context: Context) => ({
  durable: 'hands-of-meetings',
  types: ['ai_claimed', 'ai_unclaimed'],
  async handle(received: readonly ReceivedEvent[]) {
    const { commit, people } = context;
    for (const { event } of received) {
      const { data } = event;
      if (data.case === 'aiUnclaimed' && data.value.ai !== undefined) {
        const { ai, owner } = data.value;
        await commit((tx) => passOn(tx, ai.id, owner, null));
      }
      if (data.case !== 'aiClaimed' || data.value.status !== 'claimed' || data.value.ai === undefined)
        continue;
      const { ai, person } = data.value;
      const owner = await people.findOne(person);
      if (owner !== null && isMinor(owner)) await endOf(context, [ai.id]);
      else await commit((tx) => passOn(tx, ai.id, ai.id, person));
    }
  },
});
