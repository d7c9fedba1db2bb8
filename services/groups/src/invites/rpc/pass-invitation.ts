import type { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import type { UnaryHandler } from '@hearth/rpc';
import { passOn } from '../actions/pass-on.ts';
import { waitingInvitation } from '../actions/waiting-invitation.ts';
import type { Context } from '../context.ts';

export const passInvitation =
  (context: Context): UnaryHandler<typeof InvitationsService.method.passInvitation> =>
  async ({ id, note }, { caller }) => {
    await passOn(context, await waitingInvitation(context, id, caller), note, caller);
    return {};
  };
