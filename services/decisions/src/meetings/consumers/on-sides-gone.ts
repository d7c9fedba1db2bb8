import type { ReceivedEvent } from '@hearth/runtime';
import { forgetHands } from '../../shared/db/hands.ts';
import { declineMoves, endOf } from '../actions/end-of.ts';
import type { Context } from '../context.ts';
import { unseat } from '../db/offers.ts';

/**
 * Ends what parties that are gone offered and booked; hides the offers of a sender from who blocks them, and declines the
 * moves that wait of theirs. Repeated it changes nothing.
 */
export const onSidesGone = (context: Context) => ({
  durable: 'sides-of-meetings',
  types: ['ai_revoked', 'account_deleted', 'blocked'],
  async handle(received: readonly ReceivedEvent[]) {
    const { commit } = context;
    const gone = received.flatMap(({ event: { data } }) => {
      if (data.case === 'aiRevoked') return [data.value.ai];
      return data.case === 'accountDeleted' ? data.value.deleted : [];
    });
    for (const { event } of received) {
      if (event.data.case !== 'blocked' || event.data.value.targetId === '') continue;
      const { person, targetId } = event.data.value;
      await commit((tx) => unseat(tx, person, [targetId]));
      await declineMoves(context, person, targetId);
    }
    if (gone.length === 0) return;
    await endOf(context, gone);
    await commit((tx) => forgetHands(tx, gone));
  },
});
