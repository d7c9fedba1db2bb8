import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SeenCopy } from '@hearth/home-acts';
import { isUuid, printId } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import {
  type HomeInviteSchema,
  InviteState,
  InviteStatus,
  type InvitesService,
} from '@hearth/proto/groups/v1/invites';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { type Caller, personOf, type UnaryHandler } from '@hearth/rpc';
import { findGroups, isArchived } from '../../groups/module.ts';
import { lookUp } from '../actions/find-invite.ts';
import type { Context } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { countWaiting, findJoinRequest } from '../db/join-requests.ts';
import { states, statuses } from '../domain/enum-names.ts';
import { readInviteReference } from '../domain/invite-code.ts';
import { atMoment, type InviteUse, useOf } from '../domain/invite-state.ts';
import { needsReview } from '../domain/join-state.ts';
import { agesOf } from '../domain/to-proto.ts';

/** Shows what an invite reveals before joining: the group's name and, for a one-time invite, the inviter's. */
export const peekInvite =
  (context: Context): UnaryHandler<typeof InvitesService.method.peekInvite> =>
  async (request, { caller }) => {
    const { clock, config, database, homeInvites, people } = context;
    if (request.code.startsWith('r:')) {
      const copy = await homeInvites.find(request.code, [personOf(caller) ?? ''].filter(isUuid));
      return copy ? peekElsewhere(copy) : { state: InviteState.INVALID, home: config.home };
    }
    const found = await lookUp(context, request.code, caller);
    const [group] = found === null ? [] : await findGroups(database.db, [found.group], []);
    if (found === null || group === undefined) return { state: InviteState.INVALID, home: config.home };
    const now = clock.now();
    const invite = atMoment(found, now);
    const use = await useFor(context, invite, caller);
    const by = invite.reusable ? null : await people.findOne(invite.created_by_person);
    // Other homes never see the name of a person under 18.
    const inviter = by !== null && caller.home !== '' && isMinor(by) ? null : by;
    // Derived from the link and the group's settings, so it doesn't reveal whether a member is under 18.
    const reviewed = needsReview(
      group.join_review,
      invite.for_ages.some((age) => age !== 'adult'),
    );
    const given = readInviteReference(request.code, config.siteUrl);
    return {
      ...(caller.home === '' && {
        ...(given !== null && 'code' in given && given),
        group: printId('grp', group.id),
      }),
      // An archived group takes no members; after a restore, its invites work again.
      state: states.valueOf(use === 'ok' && isArchived(group, now) ? 'expired' : use),
      groupName: group.name,
      needsReview: reviewed,
      ...(inviter !== null && { invitedBy: inviter.name }),
      reusable: invite.reusable,
      ...agesOf(invite),
      expiresAt: timestampFromDate(invite.expires_at),
      status: statuses.valueOf(invite.status),
      home: config.home,
    };
  };

/** For a waiting caller, their own held use counts as free. */
async function useFor({ database }: Context, invite: InviteRow, caller: Caller): Promise<InviteUse> {
  const waiting = await countWaiting(database.db, invite.id);
  const use = useOf(invite, waiting);
  const person = personOf(caller);
  if (person === null || waiting === 0 || (use !== 'used' && use !== 'full')) return use;
  const join = await findJoinRequest(database.db, invite.id, person);
  return join?.status === 'waiting' ? useOf(invite, waiting - 1) : use;
}

/** A remote invite to the caller. */
function peekElsewhere({ home, message }: SeenCopy<typeof HomeInviteSchema>) {
  const { expiresAt, group, name, needsReview: reviewed, status } = message;
  const isOpen = status === InviteStatus.WAITING || status === InviteStatus.APPROVED;
  return {
    state: isOpen ? InviteState.OK : InviteState.USED,
    ...(group !== undefined && { group: group.id }),
    groupName: group?.name ?? '',
    needsReview: reviewed,
    ...(name !== '' && { invitedBy: name }),
    ...{ reusable: false, forAge: AgeBand.ADULT, forAges: [AgeBand.ADULT], expiresAt, status, home },
  };
}
