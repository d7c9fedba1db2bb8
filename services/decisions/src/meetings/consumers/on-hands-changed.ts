import { timestampDate } from '@bufbuild/protobuf/wkt';
import { isMinor } from '@hearth/people';
import type { ReceivedEvent } from '@hearth/runtime';
import { endOf } from '../actions/end-of.ts';
import type { Context } from '../context.ts';
import { type Hands, passOn } from '../db/hands.ts';

/**
 * An AI that is claimed brings along what it offered and booked, and takes it back when the claim is undone. Where its person is
 * under 18 by then, that ends. Changes may come again, and in any order.
 */
export const onHandsChanged = (context: Context) => ({
  durable: 'hands-of-meetings',
  types: ['ai_claimed', 'ai_unclaimed'],
  async handle(received: readonly ReceivedEvent[]) {
    const { clock, commit, people } = context;
    for (const { event } of received) {
      const at = event.at === undefined ? new Date(clock.now()) : timestampDate(event.at);
      const hands = handsOf(event, at);
      if (hands === null) continue;
      const owner = hands.person === null ? null : await people.findOne(hands.person);
      const ends = owner !== null && isMinor(owner);
      const newest = await commit((tx) => passOn(tx, ends ? { ...hands, person: null } : hands));
      if (ends && newest) await endOf(context, [hands.ai]);
    }
  },
});

function handsOf({ data }: ReceivedEvent['event'], at: Date): Hands | null {
  if (data.case === 'aiUnclaimed' && data.value.ai !== undefined)
    return { ai: data.value.ai.id, from: data.value.owner, person: null, at };
  if (data.case !== 'aiClaimed' || data.value.status !== 'claimed' || data.value.ai === undefined)
    return null;
  const { ai, person } = data.value;
  return { ai: ai.id, from: ai.id, person, at };
}
