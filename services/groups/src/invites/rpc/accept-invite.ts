import { enumNames } from '@hearth/enum-names';
import { badField, notFound, unauthenticated } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import {
  type AcceptInviteRequest,
  type InvitesService,
  JoinVia,
  JoinViaSchema,
} from '@hearth/proto/groups/v1/invites';
import { actingPerson, type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { acceptElsewhere, findElsewhere } from '../actions/accept-elsewhere.ts';
import { heldInvite } from '../actions/find-invite.ts';
import { withGuardians } from '../actions/invite-machine.ts';
import { joinByInvite } from '../actions/join-by-invite.ts';
import { makeGuest } from '../actions/make-guest.ts';
import { requireOwnPage } from '../actions/require-own-page.ts';
import type { Context } from '../context.ts';
import type { JoinRequest } from '../db/join-requests.ts';

/** Joins a group by an invite, or files a join request; with `for`, a guardian accepts for their child. */
export const acceptInvite =
  (context: Context): UnaryHandler<typeof InvitesService.method.acceptInvite> =>
  async (request, call) => {
    const { guest, note = '' } = request;
    refuseUnnamed(request, call.caller);
    const copy = await findElsewhere(context, request.code, call.caller);
    if (copy !== null) {
      if (request.for !== undefined)
        throw badField('for', 'is for children, of whom other homes are told nothing');
      return await acceptElsewhere(context, copy, request, call.caller);
    }
    const via = viaName(request.via, call.caller);
    const invite = await heldInvite(context, request.code, call.caller);
    const made = guest === undefined ? null : await makeGuest(context, invite, guest, call);
    const caller = made?.caller ?? call.caller;
    const { facts, guardian } =
      request.for === undefined
        ? {
            facts: made?.facts ?? (await context.people.everywhere.findOne(actingPerson(caller))),
            guardian: null,
          }
        : await childFor(context, request.for, caller);
    if (facts === null) throw notFound();
    const joiner = await withGuardians(context, facts);
    const answer = await joinByInvite(context, invite, { joiner, guardian, note, via, caller });
    return { ...answer, ...(made !== null && { sessionToken: made.sessionToken }) };
  };

function refuseUnnamed({ for: child, guest }: AcceptInviteRequest, caller: Caller): void {
  if (caller.kind !== callerKinds.ANONYMOUS) {
    if (guest !== undefined)
      throw badField('guest', 'is for who has no sign-in; leave it out to join as yourself');
  } else if (guest === undefined || child !== undefined) {
    throw unauthenticated('sign in first, or give `guest` with a name to join without a sign-in');
  }
}

/** Finds the child that a guardian accepts for. @throws not_found if the person is not their child */
async function childFor(context: Context, reference: string, caller: Caller) {
  const guardian = actingPerson(caller);
  const facts = await context.people.everywhere.resolve(reference, caller);
  if (facts === null || !isMinor(facts) || !facts.guardians.includes(guardian)) throw notFound();
  requireOwnPage(context, facts, caller);
  return { facts, guardian };
}

const vias = enumNames(JoinViaSchema);

/** How the code reached the joiner. @throws bad_field for a way that callers cannot claim */
function viaName(via: JoinVia | undefined, caller: Caller): JoinRequest['via'] {
  if (caller.home !== '') return 'home';
  if (!via) return caller.kind !== callerKinds.ANONYMOUS && caller.app !== '' ? 'app' : 'link';
  const name = vias.nameOf(via);
  if (name === '' || via === JoinVia.HOME) throw badField('via', 'must be link, code, invite or app');
  return name as JoinRequest['via'];
}
