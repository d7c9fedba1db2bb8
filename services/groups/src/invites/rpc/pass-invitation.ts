import { forbidden } from '@hearth/errors';
import { invitesTopic } from '../../shared/domain/topics.ts';
import { changeInvite, tell } from '../actions/change-invite.ts';
import { waitingInvitation } from '../actions/waiting-invitation.ts';
import type { InvitesContext } from '../context.ts';
import { passInvite } from '../db/invites.ts';
import { invited as invitedNotice } from '../domain/notices.ts';
import type { InvitationsHandlers } from './invitations.ts';

/** The AI at the front door passes an invite on: its person is told of it now. */
export function passInvitation(context: InvitesContext): InvitationsHandlers['passInvitation'] {
  return async ({ id, note }, { caller }) => {
    const { invite, invited } = await waitingInvitation(context, id, caller);
    if (invite.holder !== caller.id || invite.delivery !== 'front_door')
      throw forbidden('this did not come to you at the front door of your person');
    await changeInvite(context, invite, async (tx, group, row) => {
      const nothing = { result: undefined, events: [] };
      if (!(await passInvite(tx, row.id, note))) return nothing;
      // Passed on by an AI, it is an invite of whoever sent it all the same.
      const notice = { ...invitedNotice(group, row, caller), body: note };
      return { result: undefined, events: tell(context, invited, notice) };
    });
    context.outbox.wake([invitesTopic(invited.facts.id), invitesTopic(caller.id)]);
    return {};
  };
}
