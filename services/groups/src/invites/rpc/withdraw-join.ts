import { notFound } from '@hearth/errors';
import type { InvitesService } from '@hearth/proto/groups/v1/invites';
import { actingPerson, type UnaryHandler } from '@hearth/rpc';
import { findElsewhere, withdrawElsewhere } from '../actions/accept-elsewhere.ts';
import { heldInvite } from '../actions/find-invite.ts';
import { withdrawOrDecline } from '../actions/withdraw-join-request.ts';
import type { Context } from '../context.ts';

/** Withdraws a join request; the recipient of a one-time invite who never asked to join declines it. Idempotent. */
export const withdrawJoin =
  (context: Context): UnaryHandler<typeof InvitesService.method.withdrawJoin> =>
  async (request, { caller }) => {
    const person = actingPerson(caller);
    const copy = await findElsewhere(context, request.code, caller);
    if (copy !== null) {
      await withdrawElsewhere(context, copy, caller);
      return { withdrawn: true };
    }
    const invite = await heldInvite(context, request.code, caller);
    const facts = await context.people.everywhere.findOne(person);
    if (facts === null) throw notFound();
    await withdrawOrDecline(context, invite, facts, {}, caller);
    return { withdrawn: true };
  };
