import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { InviteState } from '@hearth/proto/groups/v1/invites';
import { type Caller, personOf } from '@hearth/rpc';
import { findGroups } from '../../groups/db/groups.ts';
import { isArchived } from '../../groups/domain/ended.ts';
import { ageBandOf } from '../../shared/domain/enum-names.ts';
import { lookUp } from '../actions/find-invite.ts';
import type { InvitesContext } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { countWaiting, findJoin } from '../db/join-requests.ts';
import { toState, toStatus } from '../domain/enum-names.ts';
import { atMoment, type InviteUse, useOf } from '../domain/invite-state.ts';
import { needsReview } from '../domain/join-state.ts';
import type { InvitesHandlers } from './index.ts';

/** What an invite leads to. Of the group nothing but its name, of the inviter the name, of a one-time invite alone. */
export function peekInvite(context: InvitesContext): InvitesHandlers['peekInvite'] {
  const { clock, database, homeName, people } = context;
  return async (request, { caller }) => {
    const found = await lookUp(context, request.code, caller);
    const [group] = found === null ? [] : await findGroups(database.db, [found.group], []);
    if (found === null || group === undefined) return { state: InviteState.INVALID, home: homeName };
    const now = clock.now();
    const invite = atMoment(found, now);
    const use = await useFor(context, invite, caller);
    const inviter = invite.reusable ? null : await people.findOne(invite.created_by_person);
    const reviewed = needsReview(group.join_review, group.has_minors || invite.for_age !== 'adult');
    return {
      // Nobody can join an archived group; when it is restored, its invites lead into it again.
      state: toState(use === 'ok' && isArchived(group, now) ? 'expired' : use),
      groupName: group.name,
      needsReview: reviewed,
      ...(inviter !== null && { invitedBy: inviter.name }),
      reusable: invite.reusable,
      forAge: ageBandOf(invite.for_age),
      expiresAt: timestampFromDate(invite.expires_at),
      status: toStatus(invite.status),
      home: homeName,
    };
  };
}

/** A use that the caller holds already by waiting is there for them. */
async function useFor({ database }: InvitesContext, invite: InviteRow, caller: Caller): Promise<InviteUse> {
  const waiting = await countWaiting(database.db, invite.id);
  const use = useOf(invite, waiting);
  const person = personOf(caller);
  if (person === null || waiting === 0 || (use !== 'used' && use !== 'full')) return use;
  const join = await findJoin(database.db, invite.id, person);
  return join?.status === 'waiting' ? useOf(invite, waiting - 1) : use;
}
