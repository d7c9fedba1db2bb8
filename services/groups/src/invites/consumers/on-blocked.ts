import type { Event } from '@hearth/proto/events/v1/events';
import { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import type { Host } from '@hearth/runtime';
import { doorTypes } from '../../shared/domain/event-ids.ts';
import { changeInvite, move } from '../actions/change-invite.ts';
import { followDoors, followGuardians } from '../actions/move-invites.ts';
import type { InvitesContext } from '../context.ts';
import { invitationsFrom } from '../db/invitations.ts';
import { invitationsHandlers } from '../rpc/invitations.ts';

/**
 * Invites as those have them whom they were sent to; a block ends those of whom it keeps away, and what waits with others
 * in their place moves on when these have no say any more.
 */
export function startInvitations(host: Host, context: InvitesContext): void {
  host.serve(InvitationsService, invitationsHandlers(context));
  host.hear({
    durable: 'front-doors',
    types: doorTypes,
    handle: (heard) => followDoors(context, heard.map(eventOf)),
  });
  host.hear({
    durable: 'guardians',
    types: ['person_changed'],
    handle: (heard) => followGuardians(context, heard.map(eventOf)),
  });
  host.hear({
    durable: 'blocks',
    types: ['blocked'],
    handle: (heard) => followBlocks(context, heard.map(eventOf)),
  });
}

const eventOf = ({ event }: { event: Event }) => event;

/** Without a word to whoever sent them. */
async function followBlocks(context: InvitesContext, events: readonly Event[]): Promise<void> {
  for (const { data } of events) {
    if (data.case !== 'blocked' || data.value.targetId === '') continue;
    const { person, targetId } = data.value;
    for (const invite of await invitationsFrom(context.database.db, person, targetId)) {
      await changeInvite(context, invite, async (tx, _, locked) => {
        await move(tx, locked, 'declined');
        return { result: undefined, events: [] };
      });
    }
  }
}
