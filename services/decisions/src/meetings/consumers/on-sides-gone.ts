import { timestampDate } from '@bufbuild/protobuf/wkt';
import { blockEnds } from '@hearth/people';
import type { ReceivedEvent } from '@hearth/runtime';
import { forgetHands } from '../../shared/db/hands.ts';
import { isBlocked } from '../../shared/domain/blocks.ts';
import { declineMoves, endOf } from '../actions/end-of.ts';
import type { Context } from '../context.ts';
import { findMakersElsewhere, unseat } from '../db/offers.ts';

/**
 * Ends offers and bookings of parties that are gone, or whose home name passed to a different home. For
 * blocks: hides the sender's offers from the person who blocks, and declines their pending moves. Idempotent,
 * also after the block was lifted.
 */
export const onSidesGone = (context: Context) => ({
  durable: 'sides-of-meetings',
  types: ['ai_revoked', 'account_deleted', 'blocked', 'parties_began_anew'],
  async handle(received: readonly ReceivedEvent[]) {
    const { commit, database } = context;
    const gone = received.flatMap(({ event: { data } }) => {
      if (data.case === 'aiRevoked') return [data.value.ai];
      return data.case === 'accountDeleted' ? data.value.deleted : [];
    });
    for (const { event } of received) {
      if (event.data.case === 'partiesBeganAnew')
        await endOf(context, event.data.value.parties, { anew: timestampDate(event.at!) });
      if (event.data.case !== 'blocked') continue;
      const block = event.data.value;
      const before = blockEnds(timestampDate(event.at!));
      const { person, targetId } = block;
      const makers = targetId === '' ? await findMakersElsewhere(database.db, person) : [];
      const blocked = makers.filter((maker) => isBlocked(maker, block)).map(({ id }) => id);
      await commit((tx) => unseat(tx, person, targetId === '' ? blocked : [targetId], before));
      await declineMoves(context, person, before, (party) => isBlocked(party, block));
    }
    if (gone.length === 0) return;
    await endOf(context, gone);
    await commit((tx) => forgetHands(tx, gone));
  },
});
