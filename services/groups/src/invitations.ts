import type { Event } from '@hearth/proto/events/v1/events';
import { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import type { Host } from '@hearth/runtime';
import { changeInvite, move } from './change-invite.ts';
import { invitationsFrom } from './db/invitations.ts';
import { releaseInvites } from './db/invites.ts';
import type { InvitesContext } from './invites-context.ts';
import { invitationsHandlers } from './rpc/invitations/index.ts';

/**
 * Invites as those have them whom they were sent to; a block ends those of whom it keeps away, and what waits with an AI
 * that is switched off goes to its person.
 */
export function startInvitations(host: Host, context: InvitesContext): void {
  host.serve(InvitationsService, invitationsHandlers(context));
  host.hear({
    durable: 'front-doors',
    types: ['ai_revoked'],
    handle: async (heard) => {
      for (const { event } of heard) {
        if (event.data.case !== 'aiRevoked') continue;
        const { ai } = event.data.value;
        await context.database.transaction((tx) => releaseInvites(tx, ai));
      }
    },
  });
  host.hear({
    durable: 'blocks',
    types: ['blocked'],
    handle: (heard) =>
      followBlocks(
        context,
        heard.map(({ event }) => event),
      ),
  });
}

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
