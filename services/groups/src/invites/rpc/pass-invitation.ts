import { forbidden } from '@hearth/errors';
import type { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import type { UnaryHandler } from '@hearth/rpc';
import { waitingInvitation } from '../actions/waiting-invitation.ts';
import type { Context } from '../context.ts';
import { passInvite } from '../db/invites.ts';
import { invitesTopic, noticesFor } from '../domain/events.ts';
import { invited as invitedNotice } from '../domain/notices.ts';

/** The AI at the front door passes an invite on, and its recipient is notified now. */
export const passInvitation =
  (context: Context): UnaryHandler<typeof InvitationsService.method.passInvitation> =>
  async ({ id, note }, { caller }) => {
    const { invite, invited } = await waitingInvitation(context, id, caller);
    if (invite.holder !== caller.id || invite.delivery !== 'front_door')
      throw forbidden('this did not come to you at the front door of your person');
    await context.invites.locked(invite, async (tx, locked) => {
      tx.wake(invitesTopic(invited.facts.id), invitesTopic(caller.id));
      if (!(await passInvite(tx, invite.id, note))) return;
      const notice = { ...invitedNotice(locked.group, locked.invite, caller), body: note };
      tx.announce(...noticesFor(invited, notice));
    });
    return {};
  };
