import type { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import type { UnaryHandler } from '@hearth/rpc';
import { waitingInvitation } from '../actions/waiting-invitation.ts';
import { withdrawOrDecline } from '../actions/withdraw-join-request.ts';
import type { Context } from '../context.ts';

export const declineInvitation =
  (context: Context): UnaryHandler<typeof InvitationsService.method.declineInvitation> =>
  async ({ id, note, silent }, { caller }) => {
    const { invite, invited } = await waitingInvitation(context, id, caller);
    await withdrawOrDecline(context, invite, invited.facts, { note, silent }, caller);
    return {};
  };
