import { create } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { badRequest, isHearthError } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import type { ApprovalSettled, Event } from '@hearth/proto/events/v1/events';
import type { Caller } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import { joinRefusal } from '../../shared/domain/fits.ts';
import { answerJoinRequest } from '../actions/answer-join-request.ts';
import { askThoseOfNow } from '../actions/go-on.ts';
import { findInviter, withGuardians } from '../actions/invite-machine.ts';
import { syncJoinApprovals } from '../actions/join-approvals.ts';
import { turnBack } from '../actions/turn-back.ts';
import { withdraw } from '../actions/withdraw-join-request.ts';
import type { Context } from '../context.ts';
import { findInvite, type InviteRow } from '../db/invites.ts';
import { findJoinApproval, type JoinApproval, noteEnded } from '../db/join-approvals.ts';
import { findJoinRequest } from '../db/join-requests.ts';

/** Applies answers given in the approvals service as if they were given here. */
export const onApprovalSettled = (context: Context) => async (events: ReceivedEvent[]) => {
  const { db } = context.database;
  for (const { event } of events) {
    if (event.data.case !== 'approvalSettled' || event.data.value.kind !== 'join_request') continue;
    const id = parseId('apr', event.data.value.approval);
    const approval = id === null ? null : await findJoinApproval(db, id);
    // Approvals that this service settled itself come back too; skip them.
    if (approval?.wanted !== 'waiting') continue;
    const invite = await findInvite(db, approval.invite);
    if (invite !== null) await settle(context, approval, invite, event.data.value, event);
  }
};

async function settle(
  context: Context,
  approval: JoinApproval,
  invite: InviteRow,
  settled: ApprovalSettled,
  event: Event,
): Promise<void> {
  const { clock, database, log } = context;
  const { answeredBy, status, void: nothing } = settled;
  const answered = (status === 'approved' || status === 'declined') && nothing !== 'asker_gone';
  if (!answered && !(status === 'cancelled' && answeredBy !== '')) {
    // The invite expired, or the joiner is gone.
    await database.transaction((tx) => noteEnded(tx, approval.id, 'cancelled', nowDate(clock)));
    return;
  }
  try {
    // Consistent with the record, even if the group was restored since.
    if (nothing === 'archived') throw badRequest('the group was archived', { code: 'archived' });
    await answerOrReopen(context, approval, invite, settled, callerOf(event));
  } catch (error) {
    if (!isHearthError(error) || error.kind === 'internal' || error.kind === 'unavailable') throw error;
    log.info(
      { err: error, approval: approval.id },
      'a joiner could not be let in, and no approver is left who could change that',
    );
    await turnBack(context, approval, invite, settled, error);
  }
  await syncJoinApprovals(context, invite.id);
}

async function answerOrReopen(
  context: Context,
  approval: JoinApproval,
  named: InviteRow,
  settled: ApprovalSettled,
  by: Caller,
): Promise<void> {
  const reopen = () => reopenApproval(context, approval, named, settled.status, by);
  // All approvers are gone, or the approver had lost their say when the answer was signed.
  if (settled.answeredBy === '' || settled.void === 'no_say') return await reopen();
  try {
    await take(context, approval, named, settled, by);
  } catch (error) {
    // The approver has no say any more: ask others.
    if (isHearthError(error) && error.kind === 'forbidden') return await reopen();
    throw error;
  }
}

/** Applies the answer as if the approver had given it in this service. */
async function take(
  context: Context,
  approval: JoinApproval,
  named: InviteRow,
  { answeredBy, note, status }: ApprovalSettled,
  caller: Caller,
): Promise<void> {
  const facts = await context.people.everywhere.findOne(approval.person);
  if (facts === null) return;
  const joiner = await withGuardians(context, facts);
  const inviter = await findInviter(context, named);
  const reviewer = { id: answeredBy, guardian: facts.guardians.includes(answeredBy), caller };
  await context.invites.locked(named, async (tx, locked) => {
    if (!(await noteEnded(tx, approval.id, wantedOf(status), nowDate(context.clock)))) return;
    // The joiner withdraws by cancelling.
    if (status === 'cancelled') {
      await withdraw(context, tx, locked, facts, { inviter, note: '' }, caller);
      return;
    }
    const answer = { approved: status === 'approved', note, inviter };
    await answerJoinRequest(context, tx, locked, joiner, reviewer, answer);
  });
}

/**
 * Opens an approval for the current approvers, or lets in a joiner who needs none.
 *
 * @throws HearthError if the joiner cannot join now
 */
async function reopenApproval(
  context: Context,
  approval: JoinApproval,
  named: InviteRow,
  status: string,
  by: Caller,
): Promise<void> {
  const facts = await context.people.everywhere.findOne(approval.person);
  if (facts === null) return;
  const joiner = await withGuardians(context, facts);
  await context.invites.locked(named, async (tx, locked) => {
    const { group, invite } = locked;
    const join = await findJoinRequest(tx, invite.id, approval.person);
    if (!(await noteEnded(tx, approval.id, wantedOf(status), nowDate(context.clock)))) return;
    if (join?.status !== 'waiting' || join.approval !== approval.id || invite.status === 'declined') return;
    const refusal = joinRefusal(group, facts, facts.guardians.length > 0);
    if (refusal !== null) throw refusal;
    await askThoseOfNow(context, tx, { ...locked, join }, joiner, by);
  });
}

function wantedOf(status: string): JoinApproval['wanted'] {
  return status === 'approved' || status === 'declined' ? status : 'cancelled';
}

/** The approver as the caller of what follows. */
function callerOf({ by }: Event): Caller {
  const { kind, id, address, name, person, app, via } = by ?? {};
  return create(CallerSchema, {
    ...(kind !== undefined && { kind }),
    ...(via !== undefined && { via }),
    id: id ?? '',
    address: address ?? '',
    name: name ?? '',
    person: id === person ? '' : (person ?? ''),
    app: app ?? '',
  });
}
