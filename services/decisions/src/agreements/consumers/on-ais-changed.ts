import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { ReceivedEvent } from '@hearth/runtime';
import { type Change as HandsChange, noteChange } from '../../shared/actions/note-hands.ts';
import { change, changeEach } from '../actions/change.ts';
import { findBoth } from '../actions/copied.ts';
import { endQuestion } from '../actions/errands.ts';
import type { Context } from '../context.ts';
import { findOfOthers, findOpenOf } from '../db/agreements.ts';
import type { AgreementParty } from '../domain/agreement.ts';

/**
 * Ends open agreements of AIs that were removed, lost their owner, or now belong to a minor, and marks ready
 * ones. An adult who claims an AI sees its earlier agreements and is asked to approve open ones that need
 * owners; undoing the claim reverts this. Idempotent, and events may arrive in any order.
 */
export const onAisChanged = (context: Context) => ({
  durable: 'ais-of-agreements',
  types: ['ai_revoked', 'ai_unclaimed', 'ai_claimed', 'parties_began_anew'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const event of received) {
      const { data } = event.event;
      if (data.case === 'aiRevoked') await leave(context, data.value);
      if (data.case === 'partiesBeganAnew') {
        const at = timestampDate(event.event.at!);
        await context.things.beganAnew(data.value.home, at);
        const before = new Date(at.getTime() + 1);
        for (const ai of data.value.parties)
          await leave(context, { ai, owner: '' }, { before, isAnew: true });
      }
      const hands = await noteChange(context, event);
      if (hands === null) continue;
      const { ai, person, at, claimed, newest, minor } = hands;
      await passOn(context, hands);
      if (minor && newest) await leave(context, { ai, owner: person });
      // If a newer claim exists, it may be by the same person, whose later agreements must stay.
      if (!claimed)
        await leave(context, { ai, owner: person }, { of: person, ...(!newest && { before: at }) });
    }
  },
});

/**
 * @param only `of`: agreements where the AI had this owner (uuid); `before`: agreements started before then;
 * absent: all
 */
async function leave(
  context: Context,
  { ai, owner }: { ai: string; owner: string },
  { of, before, isAnew = false }: { of?: string; before?: Date; isAnew?: boolean } = {},
) {
  const viewers = [ai, owner].filter((id) => id !== '');
  const act = { kind: 'leave', ai, isAnew, ...(of !== undefined && { owner: of }) } as const;
  await changeEach(context, await findOpenOf(context.database.db, viewers, before), () => act);
}

/**
 * Gives an AI's newest owner a seat at its earlier agreements and asks them to approve open ones that need
 * owners; the previous owner loses both. Works from the agreements' current state, so events may be repeated
 * or late.
 */
async function passOn(context: Context, { ai, now }: HandsChange): Promise<void> {
  const { database, ids } = context;
  const { at, person } = now;
  for (const row of await findBoth(context, await findOfOthers(database.db, ai, now))) {
    let before: AgreementParty | undefined;
    const { sides } = await change(context, row, (present) => {
      before = present.sides.find((side) => side.ai === ai);
      return { kind: 'pass on', ai, person, handsAt: at.getTime(), approval: ids.uuid() };
    });
    if (before !== undefined && sides.every(({ approval }) => approval !== before?.approval))
      await endQuestion(context, before);
  }
}
