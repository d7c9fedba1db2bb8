import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badRequest, forbidden, internal, notFound } from '@hearth/errors';
import type { UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { findMember, type GroupRow, requireActive } from '../../groups/module.ts';
import type { Context } from '../context.ts';
import { findJoinRequest, type JoinRequest, writeJoinRequest } from '../db/join-requests.ts';
import { withApproversNow } from '../domain/approvers-now.ts';
import { inviteEnded, noticesFor, type PersonWithGuardians } from '../domain/events.ts';
import { waitingFor } from '../domain/join-state.ts';
import { cameToNothing, letIn, notLetIn } from '../domain/notices.ts';
import { settledOtherwise } from './find-invite.ts';
import { type Answered, cancelled, goOn } from './go-on.ts';
import { changeOfInvite, type LockedInvite, type LockedJoinRequest } from './invite-machine.ts';
import { closeApproval, decisionOf, openApprover } from './join-approvals.ts';

/** The person who answers a join request. Whether they are an organizer is read with the group locked. */
export interface Reviewer {
  /** uuid of the person. */
  id: string;
  /** Whether they are a guardian of the joiner. */
  guardian: boolean;
  caller: Caller;
}

export interface Answer {
  approved: boolean;
  note: string;
  /** Notified if the invite ends unused. */
  inviter: PersonWithGuardians | null;
}

/** Answers a join request; repeating the same answer changes nothing. */
export async function answerJoinRequest(
  context: Context,
  tx: UnitOfWork,
  locked: LockedInvite,
  joiner: PersonWithGuardians,
  reviewer: Reviewer,
  answer: Answer,
): Promise<Answered> {
  const { group, invite } = locked;
  const organizer = (await findMember(tx, group.id, reviewer.id))?.role === 'organizer';
  if (!organizer && !reviewer.guardian)
    throw forbidden('only an organizer of the group can do this', { rule: 'only_organizers' });
  const join = await findJoinRequest(tx, invite.id, joiner.facts.id);
  if (join === null) throw notFound();
  if (join.status !== 'waiting') return await answerAgain(tx, group, join, answer.approved);
  if (invite.status === 'declined')
    throw badRequest('this invite has come to its end', { code: 'not_waiting' });
  const at = { ...locked, join };
  if (!answer.approved) return await decline(context, tx, at, joiner, reviewer, answer);
  requireActive(group, context.clock.now());
  return await approve(context, tx, at, joiner, { ...reviewer, organizer }, answer);
}

async function answerAgain(tx: Tx, group: GroupRow, join: JoinRequest, approved: boolean): Promise<Answered> {
  if (join.status === 'withdrawn') throw badRequest('they took their wish back', { code: 'not_waiting' });
  if (approved !== (join.status === 'joined')) {
    throw settledOtherwise(
      join.status === 'joined' ? 'they are in already; remove them instead' : 'they were declined already',
    );
  }
  return { join, member: approved ? await findMember(tx, group.id, join.person) : null };
}

async function approve(
  context: Context,
  tx: UnitOfWork,
  at: LockedJoinRequest,
  joiner: PersonWithGuardians,
  { id, guardian, organizer, caller }: Reviewer & { organizer: boolean },
  { note }: Answer,
): Promise<Answered> {
  const { group, invite, join } = at;
  const now = nowDate(context.clock);
  const before = withApproversNow(group, join, joiner.facts);
  const missing = waitingFor(before);
  const asOrganizer = organizer && missing.includes('organizer');
  const asGuardian = guardian && missing.includes('guardian');
  const approved: JoinRequest = {
    ...before,
    ...(asOrganizer && { organizer_at: now, organizer: id }),
    ...(asGuardian && { guardian_at: now, guardian: id }),
  };
  const role = await openApprover(tx, join);
  const given = role === 'guardian' ? asGuardian : asOrganizer;
  const ended = given ? ({ wanted: 'approved', said: decisionOf(caller, id, note) } as const) : cancelled;
  const answered = await goOn(context, tx, { ...at, join: approved }, joiner, caller, ended);
  if (answered.member !== null) {
    tx.announce(...noticesFor(joiner, letIn(group, { invite, joiner: joiner.facts }, note, caller)));
    return answered;
  }
  if (asOrganizer || asGuardian) {
    const { done } = await context.invites.take(tx, at, asOrganizer ? 'organizer_said' : 'guardian_said');
    if (done === undefined) throw internal('a word about somebody was given to an invite that takes none');
  }
  return answered;
}

async function decline(
  context: Context,
  tx: UnitOfWork,
  at: LockedJoinRequest,
  joiner: PersonWithGuardians,
  { caller, id }: Reviewer,
  { note, inviter }: Answer,
): Promise<Answered> {
  const { group, invite, join } = at;
  const { facts } = joiner;
  const { done: moved } = await context.invites.take(tx, at, 'declined');
  if (moved === undefined) throw internal('somebody waits by an invite that has ended');
  const declined: JoinRequest = { ...join, status: 'declined', ended_at: nowDate(context.clock) };
  await writeJoinRequest(tx, declined);
  await closeApproval(context, tx, join, 'declined', decisionOf(caller, id, note));
  tx.announce(
    inviteEnded(await changeOfInvite(tx, at, [facts], caller), 'declined', facts),
    ...noticesFor(joiner, notLetIn(group, { invite, joiner: facts }, note, caller), id),
  );
  if (moved.status === 'declined' && inviter !== null && inviter.facts.id !== id)
    tx.announce(...noticesFor(inviter, cameToNothing(group, moved, caller)));
  return { join: declined, member: null };
}
