import { nowDate } from '@hearth/clock';
import type { HearthError } from '@hearth/errors';
import type { UnitOfWork } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { ApprovalSettled } from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { findMember } from '../../groups/module.ts';
import type { Context } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { type JoinApproval, noteEnded } from '../db/join-approvals.ts';
import { findJoinRequest, writeJoinRequest } from '../db/join-requests.ts';
import { inviteEnded, noticesFor, type PersonWithGuardians } from '../domain/events.ts';
import type { NoEntry } from '../domain/invite-state.ts';
import { cameToNothing, couldNotBeLetIn, foundNoRoom } from '../domain/notices.ts';
import { changeOfInvite, type LockedJoinRequest, withGuardians } from './invite-machine.ts';

/**
 * Ends a join request that was approved in the approvals service but whose joiner can no longer be let in,
 * because the group is full, closed to them, or archived. The approval stays settled; the joiner, the
 * approver and the inviter are notified.
 *
 * @param refusal why the joiner cannot be let in
 */
export async function turnBack(
  context: Context,
  approval: JoinApproval,
  named: InviteRow,
  settled: Pick<ApprovalSettled, 'answeredBy' | 'status'>,
  refusal: HearthError,
): Promise<void> {
  const { clock, database, invites, people } = context;
  const facts = await people.everywhere.findOne(approval.person);
  const joiner = facts === null ? null : await withGuardians(context, facts);
  const before = await findJoinRequest(database.db, named.id, approval.person);
  const known = await people.everywhere.find(
    [settled.answeredBy, before?.organizer ?? '', named.created_by_person].filter((id) => id !== ''),
  );
  await invites.locked(named, async (tx, locked) => {
    const wanted = settled.status === 'approved' ? 'approved' : 'declined';
    if (!(await noteEnded(tx, approval.id, wanted, nowDate(clock)))) return;
    const join = await findJoinRequest(tx, named.id, approval.person);
    const why = noEntry(refusal);
    if (joiner === null || join?.status !== 'waiting' || why === null) return;
    const { done: invite } = await invites.take(tx, locked, why);
    // The invite expired, which ends all its join requests.
    if (invite === undefined) return;
    await writeJoinRequest(tx, { ...join, status: 'declined', why, ended_at: nowDate(clock) });
    await announce(
      tx,
      { ...locked, invite, join },
      joiner,
      { why, refusal, answeredBy: settled.answeredBy },
      known,
    );
  });
}

/** Null if the join request has another outcome. */
function noEntry({ details: { code, limit } }: HearthError): NoEntry | null {
  if (code === 'archived') return 'archived';
  if (code === 'cap_reached' && limit === 'group_members') return 'full';
  return code === 'cap_reached' || code === 'minors_not_allowed' || code === 'guardian_needed'
    ? 'cannot_join'
    : null;
}

/** Sends each person one notice. A guardian of the joiner gets the joiner's; others only while they are organizers. */
async function announce(
  tx: UnitOfWork,
  at: LockedJoinRequest,
  joiner: PersonWithGuardians,
  { why, refusal, answeredBy }: { why: NoEntry; refusal: HearthError; answeredBy: string },
  known: ReadonlyMap<string, PersonFacts>,
): Promise<void> {
  const { group, invite, join } = at;
  const { facts, guardians } = joiner;
  const of = { invite, joiner: facts };
  tx.announce(
    inviteEnded(await changeOfInvite(tx, at, [facts], undefined), why, facts),
    ...noticesFor(joiner, foundNoRoom(group, of, why === 'cannot_join' ? refusal.details.code : why)),
  );
  const notified = new Set(isMinor(facts) ? guardians.map(({ id }) => id) : [facts.id]);
  const others = [
    { id: answeredBy, notice: couldNotBeLetIn(group, of, why) },
    { id: join.organizer ?? '', notice: couldNotBeLetIn(group, of, why) },
    { id: invite.created_by_person, notice: cameToNothing(group, invite, undefined) },
  ];
  for (const { id, notice } of others) {
    const person = known.get(id);
    // A reusable link stays open, and its maker is not notified of each joiner.
    const concerned = id !== invite.created_by_person || invite.status === 'declined' || id === answeredBy;
    if (person === undefined || notified.has(id) || !concerned) continue;
    if ((await findMember(tx, group.id, id))?.role !== 'organizer') continue;
    notified.add(id);
    tx.announce(...noticesFor({ facts: person, guardians: [] }, notice));
  }
}
