import type { Tx } from '@hearth/db';
import { badField, notFound, unauthenticated } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { type AcceptInviteRequest, JoinStatus } from '@hearth/proto/groups/v1/invites';
import { type Call, type Caller, callerKinds } from '@hearth/rpc';
import { type Changed, requireActive } from '../../groups/actions/change-group.ts';
import { whoseWord } from '../../groups/actions/viewer.ts';
import type { GroupRow } from '../../groups/db/groups.ts';
import { findMember, type MemberRow } from '../../groups/db/members.ts';
import { toMember } from '../../groups/domain/to-proto.ts';
import { askToJoin } from '../actions/ask-to-join.ts';
import { admit, changeInvite, type Joiner, withGuardians } from '../actions/change-invite.ts';
import { checkComing } from '../actions/check-joining.ts';
import { heldInvite, settledOtherwise } from '../actions/find-invite.ts';
import { tellAsks } from '../actions/join-approvals.ts';
import { makeGuest } from '../actions/make-guest.ts';
import type { InvitesContext } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { findJoin, type JoinRow } from '../db/join-requests.ts';
import { viaWord } from '../domain/enum-names.ts';
import { waitingFor } from '../domain/join-state.ts';
import type { WordsNeeded } from '../domain/join-terms.ts';
import { nextWords } from '../domain/next-words.ts';
import type { InvitesHandlers } from './index.ts';

/** Who comes by an invite, and how. */
export interface Coming {
  joiner: Joiner;
  /** uuid of the guardian of somebody under 18 who comes for them: that is their word. */
  guardian: string | null;
  note: string;
  via: JoinRow['via'];
  caller: Caller;
}

type Outcome = { member: MemberRow } | { join: JoinRow };

/** Joins a group by an invite, or asks to. */
export function acceptInvite(context: InvitesContext): InvitesHandlers['acceptInvite'] {
  return async (request, call) => {
    const { guest, note = '' } = request;
    refuseUnnamed(request, call);
    const via = viaWord(request.via, call.caller);
    const invite = await heldInvite(context, request.code, call.caller);
    const made = guest === undefined ? null : await makeGuest(context, invite, guest, call);
    const caller = made?.caller ?? call.caller;
    const facts = made?.facts ?? (await context.people.findOne(whoseWord(caller)));
    if (facts === null) throw notFound();
    const joiner = await withGuardians(context, facts);
    const answer = await comeBy(context, invite, { joiner, guardian: null, note, via, caller });
    return { ...answer, ...(made !== null && { sessionToken: made.sessionToken }) };
  };
}

/** Joins by an invite that whoever comes may have, or asks to. */
export async function comeBy(context: InvitesContext, invite: InviteRow, coming: Coming) {
  const { outcome, groupName } = await changeInvite<{ outcome: Outcome; groupName: string }>(
    context,
    invite,
    async (tx, group, locked) => {
      const { result, events } = await come(context, tx, group, locked, coming);
      return { result: { outcome: result, groupName: group.name }, events };
    },
  );
  if ('join' in outcome) await tellAsks(context, invite.id);
  const { name } = coming.joiner.facts;
  const waiting = 'join' in outcome ? waitingFor(outcome.join) : [];
  return {
    ...toAnswer(context, outcome, coming, invite),
    next: nextWords(groupName, waiting, coming.guardian === null ? null : name),
  };
}

function refuseUnnamed({ guest }: AcceptInviteRequest, { caller }: Call): void {
  if (caller.kind !== callerKinds.ANONYMOUS) {
    whoseWord(caller);
    if (guest !== undefined)
      throw badField('guest', 'is for who has no sign-in; leave it out to join as yourself');
  } else if (guest === undefined) {
    throw unauthenticated('sign in first, or give `guest` with a name to join without a sign-in');
  }
}

async function come(
  context: InvitesContext,
  tx: Tx,
  group: GroupRow,
  invite: InviteRow,
  coming: Coming,
): Promise<Changed<Outcome>> {
  const { facts } = coming.joiner;
  const before = await findJoin(tx, invite.id, facts.id);
  const member = await findMember(tx, group.id, facts.id);
  if (member !== null) {
    // The same request once more, because its answer was lost.
    if (before?.status === 'joined') return { result: { member }, events: [] };
    throw settledOtherwise('you are in this group already');
  }
  requireActive(group, context.clock.now());
  if (before?.status === 'waiting' && invite.status !== 'declined')
    return { result: { join: before }, events: [] };
  const words = await checkComing(tx, group, invite, facts);
  // Who was to be let in and found no room may come again.
  if (before?.status === 'declined' && before.why === null)
    throw settledOtherwise('your wish to join by this invite was declined');
  // Who was in by this link, and is not any more, may have been removed.
  const needed = { ...words, organizer: words.organizer || before?.status === 'joined' };
  return await enter(context, tx, { group, invite, join: newJoin(context, invite, coming, needed) }, coming);
}

function newJoin(
  { clock }: InvitesContext,
  invite: InviteRow,
  { joiner, guardian, note, via }: Coming,
  needed: WordsNeeded,
): JoinRow {
  const now = new Date(clock.now());
  const said = needed.guardian ? guardian : null;
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
    guardian_at: said === null ? null : now,
    guardian: said,
    status: 'waiting',
    ended_at: null,
    approval: null,
    why: null,
  };
}

async function enter(
  context: InvitesContext,
  tx: Tx,
  wish: { group: GroupRow; invite: InviteRow; join: JoinRow },
  { joiner, caller }: Coming,
): Promise<Changed<Outcome>> {
  if (waitingFor(wish.join).length > 0) {
    return await askToJoin(context, tx, wish, joiner, caller);
  }
  const { events } = await admit(context, tx, wish, joiner, caller);
  return { result: { member: await memberOf(tx, wish.join, wish.group) }, events };
}

/** Who has just been let in. */
export async function memberOf(tx: Tx, { person }: JoinRow, group: GroupRow): Promise<MemberRow> {
  const member = await findMember(tx, group.id, person);
  if (member === null) throw notFound();
  return member;
}

function toAnswer(
  { people }: InvitesContext,
  outcome: Outcome,
  { joiner: { facts }, caller }: Coming,
  invite: InviteRow,
) {
  if ('member' in outcome) {
    const member = toMember(people, facts, outcome.member, caller);
    return { status: JoinStatus.JOINED, member, group: printId('grp', invite.group) };
  }
  const { join } = outcome;
  return {
    status: JoinStatus.WAITING,
    waitingFor: waitingFor(join),
    ...(join.approval !== null && { approval: printId('apr', join.approval) }),
  };
}
