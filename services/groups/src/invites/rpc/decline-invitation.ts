import { waitingInvitation } from '../actions/waiting-invitation.ts';
import type { InvitesContext } from '../context.ts';
import type { InvitationsHandlers } from './invitations.ts';
import { takeBack } from './withdraw-join.ts';

/** Sends an invite back. */
export function declineInvitation(context: InvitesContext): InvitationsHandlers['declineInvitation'] {
  return async ({ id, note, silent }, { caller }) => {
    const { invite, invited } = await waitingInvitation(context, id, caller);
    await takeBack(context, invite, invited.facts, { note, silent }, caller);
    return {};
  };
}
