import type { InvitesContext } from '../../invites-context.ts';
import { takeBack } from '../invites/withdraw-join.ts';
import type { InvitationsHandlers } from './index.ts';
import { waitingInvitation } from './waiting-invitation.ts';

/** Sends an invite back. */
export function declineInvitation(context: InvitesContext): InvitationsHandlers['declineInvitation'] {
  return async ({ id, note, silent }, { caller }) => {
    const { invite, invited } = await waitingInvitation(context, id, caller);
    await takeBack(context, invite, invited.facts, { note, silent }, caller);
    return {};
  };
}
