import type { ReceivedEvent } from '@hearth/runtime';
import { noteChange } from '../../shared/actions/note-hands.ts';
import { endOf } from '../actions/end-of.ts';
import { followMeetings } from '../actions/host-times.ts';
import type { Context } from '../context.ts';
import { lockHosts } from '../db/met.ts';
import { passOn, renameHost } from '../db/pass-on.ts';

/**
 * An AI that is claimed brings along what it offered and booked, and takes it back when the claim is undone. Where its person is
 * under 18 by then, that ends. Repeated, or after a newer change, it brings to the newest owner what the viewer before still sees.
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
