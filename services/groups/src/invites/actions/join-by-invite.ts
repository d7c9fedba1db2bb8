import { nowDate } from '@hearth/clock';
import { internal } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { UnitOfWork } from '@hearth/outbox';
import { JoinStatus } from '@hearth/proto/groups/v1/invites';
import type { Caller } from '@hearth/rpc';
import { findMember, type MemberRow, requireActive, toMember } from '../../groups/module.ts';
import { joinRefusal } from '../../shared/domain/fits.ts';
import type { Context } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { findJoinRequest, type JoinRequest, writeJoinRequest } from '../db/join-requests.ts';
import { nextApprover, withApproversNow } from '../domain/approvers-now.ts';
import { joinAsked, type PersonWithGuardians } from '../domain/events.ts';
import { type Approver, waitingFor } from '../domain/join-state.ts';
import type { ApproversNeeded } from '../domain/join-terms.ts';
import { nextSteps } from '../domain/next-steps.ts';
import { answerJoinRequest } from './answer-join-request.ts';
import { checkJoining } from './check-joining.ts';
import { settledOtherwise } from './find-invite.ts';
import { cancelled, goOn } from './go-on.ts';
import { admit, changeOfInvite, type LockedInvite, type LockedJoinRequest } from './invite-machine.ts';
import { openApproval, syncJoinApprovals } from './join-approvals.ts';

/** A person who joins by an invite. */
export interface Coming {
  joiner: PersonWithGuardians;
  /** uuid of the guardian who accepts for a person under 18, and thereby agrees. */
  guardian: string | null;
  note: string;
  via: JoinRequest['via'];
  caller: Caller;
}

/** The member if they are in, otherwise their join request. */
type Outcome = { member: MemberRow } | { join: JoinRequest };

/** Joins by an invite that the joiner may use, or files a join request. */
export async function joinByInvite(context: Context, invite: InviteRow, coming: Coming) {
  const { caller, guardian, joiner } = coming;
  const { outcome, groupName } = await context.invites.locked(invite, async (tx, locked) => ({
    outcome: await come(context, tx, locked, coming),
    groupName: locked.group.name,
  }));
  await syncJoinApprovals(context, invite.id);
  const { facts } = joiner;
  const child = guardian === null ? null : facts.name;
  if ('join' in outcome) return waitingAnswer(groupName, outcome.join, child);
  const member = toMember(context.people, facts, outcome.member, caller);
  const next = nextSteps(groupName, [], child);
  return { status: JoinStatus.JOINED, member, group: printId('grp', invite.group), ...next };
}

/** @param child the name of the child whose guardian accepts; null otherwise */
export function waitingAnswer(groupName: string, join: JoinRequest, child: string | null) {
  const left = waitingFor(join);
  return {
    status: JoinStatus.WAITING,
    waitingFor: left,
    ...(join.approval !== null && { approval: printId('apr', join.approval) }),
    ...nextSteps(groupName, left, child),
  };
}

async function come(
  context: Context,
  tx: UnitOfWork,
  locked: LockedInvite,
  coming: Coming,
): Promise<Outcome> {
  const { group, invite } = locked;
  const { caller, joiner } = coming;
  const { facts } = joiner;
  const before = await findJoinRequest(tx, invite.id, facts.id);
  const member = await findMember(tx, group.id, facts.id);
  if (member !== null) {
    // A retry whose answer was lost.
    if (before?.status === 'joined') return { member };
    throw settledOtherwise('you are in this group already');
  }
  requireActive(group, context.clock.now());
  if (before?.status === 'waiting' && invite.status !== 'declined')
    return await comeAgain(context, tx, { ...locked, join: before }, coming);
  const needed = await checkJoining(tx, group, invite, facts);
  // A joiner who had every approval but found no room may try again.
  if (before?.status === 'declined' && before.why === null)
    throw settledOtherwise('your wish to join by this invite was declined');
  // A joiner who was a member by this link before may have been removed, so an organizer decides.
  const organizer = needed.organizer || before?.status === 'joined';
  const at = { ...locked, join: newJoinRequest(context, invite, coming, { ...needed, organizer }) };
  const role = nextApprover(at.join, facts);
  if (role !== null) return await askToJoin(context, tx, at, joiner, { role, caller });
  return { member: (await admit(context, tx, at, joiner, caller)).member };
}

/**
 * Re-evaluates a pending join request: the joiner may need fewer approvals now (after a birthday, for
 * example), and a guardian who comes thereby agrees.
 */
async function comeAgain(
  context: Context,
  tx: UnitOfWork,
  at: LockedJoinRequest,
  { caller, guardian, joiner, note }: Coming,
): Promise<Outcome> {
  const { group, join } = at;
  if (joinRefusal(group, joiner.facts, joiner.guardians.length > 0) !== null) return { join };
  const now = { ...at, join: withApproversNow(group, join, joiner.facts) };
  const answered =
    guardian === null
      ? await goOn(context, tx, now, joiner, caller, cancelled)
      : await answerJoinRequest(
          context,
          tx,
          at,
          joiner,
          { id: guardian, guardian: true, caller },
          { approved: true, note, inviter: null },
        );
  return answered.member === null ? { join: answered.join } : { member: answered.member };
}

function newJoinRequest(
  { clock }: Context,
  invite: InviteRow,
  { joiner, guardian, note, via }: Coming,
  needed: ApproversNeeded,
): JoinRequest {
  const now = nowDate(clock);
  const agreed = needed.guardian ? guardian : null;
  return {
    invite: invite.id,
    person: joiner.facts.id,
    note,
    via,
    asked_at: now,
    needs_organizer: needed.organizer,
    organizer_at: null,
    organizer: null,
    needs_guardian: needed.guardian,
    guardian_at: agreed === null ? null : now,
    guardian: agreed,
    status: 'waiting',
    ended_at: null,
    approval: null,
    why: null,
  };
}

/** Writes the join request with its first approval; the approvals service notifies the approvers. */
async function askToJoin(
  context: Context,
  tx: UnitOfWork,
  at: LockedJoinRequest,
  { facts }: PersonWithGuardians,
  { role, caller }: { role: Approver; caller: Caller },
): Promise<{ join: JoinRequest }> {
  if ((await context.invites.take(tx, at, 'asked')).done === undefined)
    throw internal('somebody asks to join by an invite that has ended');
  const join = await openApproval(context, tx, at.invite, at.join, role);
  await writeJoinRequest(tx, join);
  tx.announce(joinAsked(await changeOfInvite(tx, at, [facts], caller), facts, waitingFor(join)));
  return { join };
}
