import { timestampDate } from '@bufbuild/protobuf/wkt';
import { isMinor } from '@hearth/people';
import type { ReceivedEvent } from '@hearth/runtime';
import { askNewOwner } from '../actions/ask-new-owner.ts';
import { endQuestions } from '../actions/errands.ts';
import type { Context } from '../context.ts';
import { findOpenOf } from '../db/agreements.ts';
import { passOn } from '../db/hands.ts';

/**
 * Ends open agreements of AIs that were switched off, lost their owner or are a child's by now, and marks those that are
 * ready. An adult who claims an AI sees what it agreed before, and is asked where it is open and needs owners; no more of it once
 * the claim is undone.
 */
export const onAisChanged = (context: Context) => ({
  durable: 'ais-of-agreements',
  types: ['ai_revoked', 'ai_unclaimed', 'ai_claimed'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const { event } of received) {
      const { data } = event;
      const at = event.at === undefined ? new Date(context.clock.now()) : timestampDate(event.at);
      if (data.case === 'aiRevoked') await leave(context, data.value);
      if (data.case === 'aiUnclaimed') {
        const [ai, owner] = [data.value.ai?.id ?? '', data.value.owner];
        await context.commit((tx) => passOn(tx, { ai, person: owner, at }, 'taken back'));
        await askNewOwner(context, ai);
        await leave(context, { ai, owner }, owner);
      }
      if (data.case === 'aiClaimed' && data.value.status === 'claimed') {
        const [ai, person] = [data.value.ai?.id ?? '', data.value.person];
        const facts = await context.people.findOne(person);
        if (facts !== null && isMinor(facts)) await leave(context, { ai, owner: person });
        else {
          await context.commit((tx) => passOn(tx, { ai, person, at }, 'brought'));
          await askNewOwner(context, ai);
        }
      }
    }
  },
});

/** @param of uuid of the owner for whom it was a side; absent: whoever it was */
async function leave(context: Context, { ai, owner }: { ai: string; owner: string }, of?: string) {
  const viewers = [ai, owner].filter((id) => id !== '');
  for (const id of await findOpenOf(context.database.db, viewers)) {
    const act = { kind: 'leave', ai, ...(of !== undefined && { owner: of }) } as const;
    const { state } = await context.agreements.act(id, () => ({ act }));
    await endQuestions(context, state);
  }
}
