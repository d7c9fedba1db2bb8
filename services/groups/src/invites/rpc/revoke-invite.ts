import type { InvitesService } from '@hearth/proto/groups/v1/invites';
import { actingPerson, type UnaryHandler } from '@hearth/rpc';
import { requireOrganizer } from '../../groups/module.ts';
import { endInvite, findWaiting } from '../actions/end-invite.ts';
import { namedInvite, settledOtherwise } from '../actions/find-invite.ts';
import { syncJoinApprovals } from '../actions/join-approvals.ts';
import type { Context } from '../context.ts';
import { toInvite } from '../domain/to-proto.ts';

/** Revokes an invite for good. Idempotent. */
export const revokeInvite =
  (context: Context): UnaryHandler<typeof InvitesService.method.revokeInvite> =>
  async (request, { caller }) => {
    const { clock, database, invites } = context;
    const by = actingPerson(caller);
    const named = await namedInvite(context, request.code, caller);
    await requireOrganizer(database.db, named.group, by);
    const known = await findWaiting(context, named);
    const revoked = await invites.locked(named, async (tx, locked) => {
      await requireOrganizer(tx, named.group, by);
      if (locked.invite.why === 'revoked') return locked.invite;
      const ended = await endInvite(context, tx, locked, { why: 'revoked', known, by: caller });
      if (ended === null) throw settledOtherwise('this invite has come to its end already');
      return ended;
    });
    await syncJoinApprovals(context, named.id);
    return toInvite(revoked, clock.now(), caller);
  };
