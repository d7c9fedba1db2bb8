import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { invitationsFrom } from '../db/invitations.ts';

/** Ends the invites that the blocked person or AI sent, without a notice to them. */
export const onBlocked =
  ({ database, invites }: Context) =>
  async (events: ReceivedEvent[]) => {
    for (const { event } of events) {
      if (event.data.case !== 'blocked' || event.data.value.targetId === '') continue;
      const { person, targetId } = event.data.value;
      for (const invite of await invitationsFrom(database.db, person, targetId))
        await invites.act(invite, () => 'declined');
    }
  };
