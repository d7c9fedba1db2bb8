import { badField, badRequest, forbidden, notFound } from '@hearth/errors';
import { ReviewDecision, type ReviewInviteRequest } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { whoseWord } from '../../groups/actions/viewer.ts';
import { findMember } from '../../groups/db/members.ts';
import { toMember } from '../../groups/domain/to-proto.ts';
import { type Answer, answerWish, type Reviewer } from '../actions/answer-join-request.ts';
import { changeInvite, withGuardians } from '../actions/change-invite.ts';
import { requireOwnPage } from '../actions/child-taps.ts';
import { namedInvite } from '../actions/find-invite.ts';
import { tellAsks } from '../actions/join-approvals.ts';
import type { InvitesContext } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { findJoin, findLastSettled, type JoinRow, listWaiting } from '../db/join-requests.ts';
import { toStatus } from '../domain/enum-names.ts';
import { outcomeOf, waitingFor } from '../domain/join-state.ts';
import type { InvitesHandlers } from './index.ts';
import { inviterOf } from './withdraw-join.ts';

/** The word of an organizer, or of a guardian for their child, about who wants to join. */
export function reviewInvite(context: InvitesContext): InvitesHandlers['reviewInvite'] {
  const { people } = context;
  return async (request, { caller }) => {
    const by = whoseWord(caller);
    const approved = readDecision(request);
    const named = await namedInvite(context, request.code, caller);
    const organizer = (await findMember(context.database.db, named.group, by))?.role === 'organizer';
    const facts = await whoIsMeant(context, named, request, organizer ? null : by, caller);
    requireOwnPage(context, facts, caller);
    const joiner = await withGuardians(context, facts);
    const reviewer: Reviewer = { id: by, guardian: facts.guardians.includes(by), caller };
    const answer: Answer = { approved, note: request.note ?? '', inviter: await inviterOf(context, named) };
    const { join, member } = await changeInvite(context, named, (tx, group, invite) =>
      answerWish(context, tx, { group, invite }, joiner, reviewer, answer),
    );
    await tellAsks(context, named.id);
    return {
      status: toStatus(outcomeOf(join)),
      ...(member !== null && { member: toMember(people, facts, member, caller) }),
      waitingFor: join.status === 'waiting' ? waitingFor(join) : [],
    };
  };
}

function readDecision({ decision }: ReviewInviteRequest): boolean {
  if (decision === ReviewDecision.UNSPECIFIED) throw badField('decision', 'must be approved or declined');
  return decision === ReviewDecision.APPROVED;
}

/**
 * Whose wish to join is answered: of those who wait (for a guardian, of their children) the one who is named, or the only
 * one.
 *
 * @param guardian uuid of who is no organizer and may answer for their children alone; null for an organizer
 */
async function whoIsMeant(
  context: InvitesContext,
  invite: InviteRow,
  request: ReviewInviteRequest,
  guardian: string | null,
  caller: Caller,
): Promise<PersonFacts> {
  const wishes = await wishesOf(context, invite, request, caller);
  const known = await context.people.find(wishes.map(({ person }) => person));
  const theirs = [...known.values()].filter(
    ({ guardians }) => guardian === null || guardians.includes(guardian),
  );
  const [first, second] = theirs;
  if (first === undefined) throw await nobodyMeant(context, invite, guardian, request.person !== undefined);
  if (second !== undefined) throw badField('person', 'several wait to join by this invite; say who is meant');
  return first;
}

async function wishesOf(
  { database, people }: InvitesContext,
  invite: InviteRow,
  { person }: ReviewInviteRequest,
  caller: Caller,
): Promise<JoinRow[]> {
  if (person !== undefined) {
    const facts = await people.resolve(person, caller);
    const join = facts === null ? null : await findJoin(database.db, invite.id, facts.id);
    return join === null ? [] : [join];
  }
  const waiting = await listWaiting(database.db, [invite.id], invite.max_uses);
  if (waiting.length > 0 || invite.reusable) return waiting;
  // A one-time invite has one person behind it: an answer that is given again finds them.
  const settled = await findLastSettled(database.db, invite.id);
  return settled === null ? [] : [settled];
}

/** Who may not answer learns nothing; an organizer learns that nobody waits. */
async function nobodyMeant(
  { database }: InvitesContext,
  invite: InviteRow,
  guardian: string | null,
  named: boolean,
): Promise<Error> {
  if (guardian !== null) {
    const member = await findMember(database.db, invite.group, guardian);
    return member === null ? notFound() : forbidden('only an organizer of the group can do this');
  }
  return named ? notFound() : badRequest('nobody waits to join by this invite', { code: 'not_waiting' });
}
