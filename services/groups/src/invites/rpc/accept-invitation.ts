import { forbidden } from '@hearth/errors';
import { callerKinds } from '@hearth/rpc';
import { requireOwnPage } from '../actions/child-taps.ts';
import { waitingInvitation } from '../actions/waiting-invitation.ts';
import type { InvitesContext } from '../context.ts';
import { comeBy } from './accept-invite.ts';
import type { InvitationsHandlers } from './invitations.ts';

/** As by the invite's own operation; of what waits with a guardian accepting is their word too. */
export function acceptInvitation(context: InvitesContext): InvitationsHandlers['acceptInvitation'] {
  return async ({ id, note }, { caller }) => {
    const { invite, invited, guardian } = await waitingInvitation(context, id, caller);
    if (caller.kind === callerKinds.AI)
      throw forbidden('a person joins a group themselves', { code: 'needs_person', needsPerson: true });
    if (guardian !== null) requireOwnPage(context, invited.facts, caller);
    return await comeBy(context, invite, { joiner: invited, guardian, note, via: 'invite', caller });
  };
}
