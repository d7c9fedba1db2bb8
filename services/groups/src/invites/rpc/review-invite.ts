import { badField, badRequest, forbidden, notFound } from '@hearth/errors';
import {
  type InvitesService,
  ReviewDecision,
  type ReviewInviteRequest,
} from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actingPerson, type Caller, type UnaryHandler } from '@hearth/rpc';
import { findMember, toMember } from '../../groups/module.ts';
import { answerJoinRequest } from '../actions/answer-join-request.ts';
import { namedInvite } from '../actions/find-invite.ts';
import { findInviter, withGuardians } from '../actions/invite-machine.ts';
import { syncJoinApprovals } from '../actions/join-approvals.ts';
import { requireOwnPage } from '../actions/require-own-page.ts';
import type { Context } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { findJoinRequest, findLastSettled, type JoinRequest, listWaiting } from '../db/join-requests.ts';
import { statuses } from '../domain/enum-names.ts';
import { outcomeOf, waitingFor } from '../domain/join-state.ts';

/** Answers a join request as an organizer, or as the joiner's guardian. */
export const reviewInvite =
  (context: Context): UnaryHandler<typeof InvitesService.method.reviewInvite> =>
  async (request, { caller }) => {
    const { database, invites, people } = context;
    const by = actingPerson(caller);
    if (request.decision === ReviewDecision.UNSPECIFIED)
      throw badField('decision', 'must be approved or declined');
    const approved = request.decision === ReviewDecision.APPROVED;
    const named = await namedInvite(context, request.code, caller);
    const organizer = (await findMember(database.db, named.group, by))?.role === 'organizer';
    const facts = await findJoiner(context, named, request, organizer ? null : by, caller);
    requireOwnPage(context, facts, caller);
    const joiner = await withGuardians(context, facts);
    const reviewer = { id: by, guardian: facts.guardians.includes(by), caller };
    const answer = { approved, note: request.note ?? '', inviter: await findInviter(context, named) };
    const { join, member } = await invites.locked(named, (tx, locked) =>
      answerJoinRequest(context, tx, locked, joiner, reviewer, answer),
    );
    await syncJoinApprovals(context, named.id);
    return {
      status: statuses.valueOf(outcomeOf(join)),
      ...(member !== null && { member: toMember(people, facts, member, caller) }),
      waitingFor: join.status === 'waiting' ? waitingFor(join) : [],
    };
  };

/**
 * Finds the joiner: the named one among the pending joiners (for a guardian, their children), or the only
 * one.
 *
 * @param guardian uuid of a caller who is not an organizer, and answers only for their children; null for an
 * organizer
 */
async function findJoiner(
  context: Context,
  invite: InviteRow,
  request: ReviewInviteRequest,
  guardian: string | null,
  caller: Caller,
): Promise<PersonFacts> {
  const joins = await findJoinRequests(context, invite, request, caller);
  const known = await context.people.everywhere.find(joins.map(({ person }) => person));
  const [first, second] = [...known.values()].filter(
    ({ guardians }) => guardian === null || guardians.includes(guardian),
  );
  if (first === undefined) throw await noJoiner(context, invite, guardian, request.person !== undefined);
  if (second !== undefined) throw badField('person', 'several wait to join by this invite; say who is meant');
  return first;
}

async function findJoinRequests(
  { database, people }: Context,
  invite: InviteRow,
  { person }: ReviewInviteRequest,
  caller: Caller,
): Promise<JoinRequest[]> {
  if (person !== undefined) {
    const facts = await people.everywhere.resolve(person, caller);
    const join = facts === null ? null : await findJoinRequest(database.db, invite.id, facts.id);
    return join === null ? [] : [join];
  }
  const waiting = await listWaiting(database.db, [invite.id], invite.max_uses);
  if (waiting.length > 0 || invite.reusable) return waiting;
  // A one-time invite has one joiner, so a repeated answer finds them.
  const settled = await findLastSettled(database.db, invite.id);
  return settled === null ? [] : [settled];
}

/** A caller who may not answer learns nothing; an organizer learns that no one waits. */
async function noJoiner(
  { database }: Context,
  invite: InviteRow,
  guardian: string | null,
  named: boolean,
): Promise<Error> {
  if (guardian !== null) {
    const member = await findMember(database.db, invite.group, guardian);
    return member === null
      ? notFound()
      : forbidden('only an organizer of the group can do this', { rule: 'only_organizers' });
  }
  return named ? notFound() : badRequest('nobody waits to join by this invite', { code: 'not_waiting' });
}
