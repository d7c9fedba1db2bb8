import { forbidden, notFound } from '@hearth/errors';
import { requireOrganizer } from '../../groups/actions/change-group.ts';
import { whoseWord } from '../../groups/actions/viewer.ts';
import type { Context } from '../../groups/context.ts';
import { findMember } from '../../groups/db/members.ts';
import { changeInvite } from '../actions/change-invite.ts';
import { endInvite } from '../actions/end-invite.ts';
import { namedInvite, settledOtherwise } from '../actions/find-invite.ts';
import { tellAsks } from '../actions/join-approvals.ts';
import type { InvitesContext } from '../context.ts';
import { listWaiting } from '../db/join-requests.ts';
import { toInvite } from '../domain/to-proto.ts';
import type { InvitesHandlers } from './index.ts';

/** Takes an invite back, for good. Repeated, it answers the same. */
export function revokeInvite(context: InvitesContext): InvitesHandlers['revokeInvite'] {
  const { clock, database, people } = context;
  return async (request, { caller }) => {
    const by = whoseWord(caller);
    const named = await namedInvite(context, request.code, caller);
    await requireOrganizing(context, named.group, by);
    const waiting = await listWaiting(database.db, [named.id], named.max_uses);
    const known = await people.find(waiting.map(({ person }) => person));
    const revoked = await changeInvite(context, named, async (tx, group, invite) => {
      await requireOrganizer(tx, group, by);
      if (invite.why === 'revoked') return { result: invite, events: [] };
      const ended = await endInvite(context, tx, { group, invite }, 'revoked', known, caller);
      if (ended === null) throw settledOtherwise('this invite has come to its end already');
      return { result: ended.invite, events: ended.events };
    });
    await tellAsks(context, named.id);
    return toInvite(revoked, clock.now());
  };
}

/**
 * Before anything is told of an invite.
 *
 * @throws not_found for who is not in its group; forbidden for a member
 */
export async function requireOrganizing(
  { database }: Pick<Context, 'database'>,
  group: string,
  person: string,
): Promise<void> {
  const member = await findMember(database.db, group, person);
  if (member === null) throw notFound();
  if (member.role !== 'organizer') throw forbidden('only an organizer of the group can do this');
}
