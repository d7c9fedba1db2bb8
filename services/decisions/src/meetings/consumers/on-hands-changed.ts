import type { ReceivedEvent } from '@hearth/runtime';
import { noteChange } from '../../shared/actions/note-hands.ts';
import { endOf } from '../actions/end-of.ts';
import { followMeetings } from '../actions/host-times.ts';
import type { Context } from '../context.ts';
import { lockHosts } from '../db/met.ts';
import { passOn, renameHost } from '../db/pass-on.ts';

/**
 * A claimed AI's offers and bookings move to its owner, and back if the claim is undone; they end if the
 * owner is under 18. Idempotent: repeated or late events move what the previous viewer still sees to the
 * newest owner.
 */
export const onHandsChanged = (context: Context) => ({
  durable: 'hands-of-meetings',
  types: ['ai_claimed', 'ai_unclaimed'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const event of received) {
      const change = await noteChange(context, event, async (tx, { ai, person, claimed, newest, now }) => {
        const [from, to] = [claimed ? ai : person, now.person ?? ai];
        if (from !== to) {
          await lockHosts(tx, [from, to]);
          await passOn(tx, { ai, from, to, person: now.person });
          await followMeetings(context, tx, [from, to]);
        }
        const { data } = event.event;
        if (data.case === 'aiUnclaimed' && newest && now.person === null)
          await renameHost(tx, ai, data.value.ai!);
      });
      if (change?.minor && change.newest) await endOf(context, [change.ai]);
    }
  },
});
