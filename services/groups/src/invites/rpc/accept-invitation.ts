import { forbidden } from '@hearth/errors';
import type { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { joinByInvite } from '../actions/join-by-invite.ts';
import { requireOwnPage } from '../actions/require-own-page.ts';
import { waitingInvitation } from '../actions/waiting-invitation.ts';
import type { Context } from '../context.ts';

/** As accept_invite. A guardian who accepts for their child agrees by that. */
export const acceptInvitation =
  (context: Context): UnaryHandler<typeof InvitationsService.method.acceptInvitation> =>
  async ({ id, note }, { caller }) => {
    const { invite, invited, guardian } = await waitingInvitation(context, id, caller);
    if (caller.kind === callerKinds.AI)
      throw forbidden('a person joins a group themselves', { code: 'needs_person', needsPerson: true });
    if (guardian !== null) requireOwnPage(context, invited.facts, caller);
    return await joinByInvite(context, invite, { joiner: invited, guardian, note, via: 'invite', caller });
  };
