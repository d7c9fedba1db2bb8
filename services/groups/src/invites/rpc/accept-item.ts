import { personNeeded } from '@hearth/errors';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import { JoinStatus } from '@hearth/proto/groups/v1/invites';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { joinByInvite } from '../actions/join-by-invite.ts';
import { passOn } from '../actions/pass-on.ts';
import { requireOwnPage } from '../actions/require-own-page.ts';
import { waitingInvitation } from '../actions/waiting-invitation.ts';
import type { Context } from '../context.ts';

/**
 * Accepts an invite as accept_invite does. A guardian who accepts for their child thereby agrees; an AI at
 * the front door passes it on.
 */
export const acceptItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.acceptItem> =>
  async ({ keys, note }, { caller }) => {
    const waiting = await waitingInvitation(context, keys[0]?.id ?? '', caller);
    const { invite, invited, guardian } = waiting;
    if (caller.kind === callerKinds.AI) {
      if (invite.holder !== caller.id) throw joiningNeedsPerson();
      await passOn(context, waiting, note, caller);
      return { status: 'passed' };
    }
    if (guardian !== null) requireOwnPage(context, invited.facts, caller);
    const joining = { joiner: invited, guardian, note, via: 'invite', caller } as const;
    const { status, next, wording } = await joinByInvite(context, invite, joining);
    return { status: status === JoinStatus.JOINED ? 'joined' : 'waiting', next, wording };
  };

function joiningNeedsPerson(): Error {
  return personNeeded('a person joins a group themselves; no AI can do it for them, so ask yours');
}
