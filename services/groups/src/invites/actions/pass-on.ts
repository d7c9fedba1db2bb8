import { forbidden } from '@hearth/errors';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { passInvite } from '../db/invites.ts';
import { noticesFor } from '../domain/events.ts';
import { invited as invitedNotice } from '../domain/notices.ts';
import type { WaitingInvitation } from './waiting-invitation.ts';

/**
 * Passes an invite from the AI at the front door on to its recipient, and notifies them.
 *
 * @throws forbidden for an invite that did not come to the AI there
 */
export async function passOn(
  { invites }: Pick<Context, 'invites'>,
  { invite, invited }: WaitingInvitation,
  note: string,
  caller: Caller,
): Promise<void> {
  if (invite.holder !== caller.id || invite.delivery !== 'front_door')
    throw forbidden('this did not come to you at the front door of your person');
  await invites.locked(invite, async (tx, locked) => {
    if (!(await passInvite(tx, invite.id, note))) return;
    const notice = { ...invitedNotice(locked.group, locked.invite, caller), body: note };
    tx.announce(...noticesFor(invited, notice));
  });
}
