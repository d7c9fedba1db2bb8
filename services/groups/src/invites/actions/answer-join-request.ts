import type { Tx } from '@hearth/db';
import { badRequest, forbidden, internal, notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { type Changed, requireActive } from '../../groups/actions/change-group.ts';
import type { GroupRow } from '../../groups/db/groups.ts';
import { findMember, type MemberRow } from '../../groups/db/members.ts';
import { joining } from '../../shared/domain/fits.ts';
import type { InvitesContext } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { findJoin, type JoinRow, writeJoin } from '../db/join-requests.ts';
import { inviteEnded } from '../domain/events.ts';
import { waitingFor } from '../domain/join-state.ts';
import { cameToNothing, letIn, notLetIn } from '../domain/notices.ts';
import { admit, announcementOf, type Joiner, move, tell } from './change-invite.ts';
import { settledOtherwise } from './find-invite.ts';
import { closeAsk, openRole, saidBy, withAsk } from './join-approvals.ts';

/** Who answers a wish to join. Whether they are an organizer is seen to with the group locked. */
export interface Reviewer {
  /** uuid of the person */
  id: string;
  /** Whether they guard who wants to join. */
  guardian: boolean;
  caller: Caller;
}

export interface Answer {
  approved: boolean;
  note: string;
  /** Who made the invite, to be told when it comes to nothing. */
  inviter: Joiner | null;
}

interface Answered {
  join: JoinRow;
  member: MemberRow | null;
}

/** Answers somebody's wish to join; the same answer once more changes nothing. */
export async function answerWish(
  context: InvitesContext,
  tx: Tx,
  { group, invite }: { group: GroupRow; invite: InviteRow },
  joiner: Joiner,
  reviewer: Reviewer,
  answer: Answer,
): Promise<Changed<Answered>> {
  const organizer = (await findMember(tx, group.id, reviewer.id))?.role === 'organizer';
  if (!organizer && !reviewer.guardian) throw forbidden('only an organizer of the group can do this');
  const join = await findJoin(tx, invite.id, joiner.facts.id);
  if (join === null) throw notFound();
  if (join.status !== 'waiting') return await repeated(tx, group, join, answer.approved);
  if (invite.status === 'declined')
    throw badRequest('this invite has come to its end', { code: 'not_waiting' });
  const wish = { group, invite, join };
  if (!answer.approved) return await decline(context, tx, wish, joiner, reviewer, answer);
  requireActive(group, context.clock.now());
  return await approve(context, tx, wish, joiner, { ...reviewer, organizer }, answer);
}

async function repeated(
  tx: Tx,
  group: GroupRow,
  join: JoinRow,
  approved: boolean,
): Promise<Changed<Answered>> {
  if (join.status === 'withdrawn') throw badRequest('they took their wish back', { code: 'not_waiting' });
  if (approved !== (join.status === 'joined')) {
    throw settledOtherwise(
      join.status === 'joined' ? 'they are in already; remove them instead' : 'they were declined already',
    );
  }
  const member = approved ? await findMember(tx, group.id, join.person) : null;
  return { result: { join, member }, events: [] };
}

type Wish = { group: GroupRow; invite: InviteRow; join: JoinRow };

async function approve(
  context: InvitesContext,
  tx: Tx,
  { group, invite, join }: Wish,
  joiner: Joiner,
  { id, guardian, organizer, caller }: Reviewer & { organizer: boolean },
  { note }: Answer,
): Promise<Changed<Answered>> {
  const now = new Date(context.clock.now());
  const before = withWordsNeededNow(group, join, joiner);
  const missing = waitingFor(before);
  const saysOrganizer = organizer && missing.includes('organizer');
  const saysGuardian = guardian && missing.includes('guardian');
  const said: JoinRow = {
    ...before,
    ...(saysOrganizer && { organizer_at: now, organizer: id }),
    ...(saysGuardian && { guardian_at: now, guardian: id }),
  };
  const role = await openRole(tx, join);
  const heard = role === 'guardian' ? saysGuardian : saysOrganizer;
  if (waitingFor(said).length === 0) {
    // A word that is not needed any more is asked for no more.
    await closeAsk(context, tx, join, heard ? 'approved' : 'cancelled', saidBy(caller, id, note));
    const wish = { group, invite, join: said };
    const { join: settled, events } = await admit(context, tx, wish, joiner, caller);
    const member = await findMember(tx, group.id, join.person);
    const notice = letIn(group, { invite, joiner: joiner.facts }, note, caller);
    return { result: { join: settled, member }, events: [...events, ...tell(context, joiner, notice)] };
  }
  const goesOn = role !== null && waitingFor(said).includes(role);
  if (!goesOn) await closeAsk(context, tx, join, heard ? 'approved' : 'cancelled', saidBy(caller, id, note));
  const next = goesOn ? said : await withAsk(context, tx, invite, said);
  await writeJoin(tx, next);
  if (!saysOrganizer && !saysGuardian) return { result: { join: next, member: null }, events: [] };
  if ((await move(tx, invite, saysOrganizer ? 'organizer_said' : 'guardian_said')) === null)
    throw internal('a word about somebody was given to an invite that takes none');
  return { result: { join: next, member: null }, events: [] };
}

/** Whether a guardian's word is needed may have changed since: the group's settings, the joiner's age, who guards them. */
function withWordsNeededNow(group: GroupRow, join: JoinRow, { facts }: Joiner): JoinRow {
  const needs = joining(group, facts) === 'with_guardian';
  const stands = needs && join.guardian !== null && facts.guardians.includes(join.guardian);
  return {
    ...join,
    needs_guardian: needs,
    guardian: stands ? join.guardian : null,
    guardian_at: stands ? join.guardian_at : null,
  };
}

async function decline(
  context: InvitesContext,
  tx: Tx,
  { group, invite, join }: Wish,
  joiner: Joiner,
  { caller, id }: Reviewer,
  { note, inviter }: Answer,
): Promise<Changed<Answered>> {
  const moved = await move(tx, invite, 'declined');
  if (moved === null) throw internal('somebody waits by an invite that has ended');
  const declined: JoinRow = { ...join, status: 'declined', ended_at: new Date(context.clock.now()) };
  await writeJoin(tx, declined);
  await closeAsk(context, tx, join, 'declined', saidBy(caller, id, note));
  const told = await announcementOf(tx, group, invite, [joiner.facts], caller);
  const events: OutboxRow[] = [
    inviteEnded(context.outbox, told, 'declined', joiner.facts),
    ...tell(context, joiner, notLetIn(group, { invite, joiner: joiner.facts }, note, caller), id),
  ];
  if (moved.status === 'declined' && inviter !== null && inviter.facts.id !== id)
    events.push(...tell(context, inviter, cameToNothing(group, moved, caller)));
  return { result: { join: declined, member: null }, events };
}
