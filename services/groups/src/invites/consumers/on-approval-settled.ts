import { create } from '@bufbuild/protobuf';
import { isHearthError } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import type { ApprovalSettled, Event } from '@hearth/proto/events/v1/events';
import type { Caller } from '@hearth/rpc';
import type { Changed } from '../../groups/actions/change-group.ts';
import { answerWish } from '../actions/answer-join-request.ts';
import { changeInvite, withGuardians } from '../actions/change-invite.ts';
import { tellAsks, withAsk } from '../actions/join-approvals.ts';
import { turnBack } from '../actions/turn-back.ts';
import type { InvitesContext } from '../context.ts';
import { findInvite, type InviteRow } from '../db/invites.ts';
import { type AskRow, findAsk, noteEnded } from '../db/join-approvals.ts';
import { findJoin, writeJoin } from '../db/join-requests.ts';
import { inviterOf, withdraw } from '../rpc/withdraw-join.ts';

/** Takes the words about who wants to join that were given to their approvals, as those given here. */
export async function followApprovals(context: InvitesContext, events: readonly Event[]): Promise<void> {
  for (const event of events) {
    if (event.data.case !== 'approvalSettled' || event.data.value.kind !== 'join_request') continue;
    const id = parseId('apr', event.data.value.approval);
    const ask = id === null ? null : await findAsk(context.database.db, id);
    // What was settled from here comes back as well.
    if (ask?.wanted !== 'waiting') continue;
    const invite = await findInvite(context.database.db, ask.invite);
    if (invite !== null) await follow(context, ask, invite, event.data.value, event);
  }
}

async function follow(
  context: InvitesContext,
  ask: AskRow,
  invite: InviteRow,
  settled: ApprovalSettled,
  event: Event,
): Promise<void> {
  const word = wordOf(settled);
  if (word === 'over') return await ended(context, ask, settled.status);
  if (word === 'nobody') return await askAnew(context, ask, invite, settled.status);
  try {
    await take(context, ask, invite, settled, callerOf(event));
  } catch (error) {
    if (!isHearthError(error) || error.kind === 'internal' || error.kind === 'unavailable') throw error;
    // Whoever answered has no say any more: others are asked.
    if (error.kind === 'forbidden') return await askAnew(context, ask, invite, settled.status);
    context.log.info({ err: error, approval: ask.id }, 'somebody could not be let in who had every word');
    await turnBack(context, ask, invite, settled, error);
  }
  await tellAsks(context, invite.id);
}

/** over: its time was; nobody: all who were asked are gone. */
function wordOf({ status, answeredBy }: ApprovalSettled): 'given' | 'over' | 'nobody' {
  if (status === 'cancelled' && answeredBy !== '') return 'given';
  if (status !== 'approved' && status !== 'declined') return 'over';
  return answeredBy === '' ? 'nobody' : 'given';
}

/** As whoever gave the word would have given it to groups. */
async function take(
  context: InvitesContext,
  ask: AskRow,
  named: InviteRow,
  { answeredBy, note, status }: ApprovalSettled,
  caller: Caller,
): Promise<void> {
  const { clock, people } = context;
  const facts = await people.findOne(ask.person);
  if (facts === null) return;
  const joiner = await withGuardians(context, facts);
  const inviter = await inviterOf(context, named);
  const reviewer = { id: answeredBy, guardian: facts.guardians.includes(answeredBy), caller };
  await changeInvite<void>(context, named, async (tx, group, invite): Promise<Changed<void>> => {
    const now = new Date(clock.now());
    if (!(await noteEnded(tx, ask.id, wantedOf(status), now))) return { result: undefined, events: [] };
    // Who asked takes the wish back by cancelling.
    if (status === 'cancelled')
      return await withdraw(context, tx, { group, invite }, facts, { inviter, note: '' }, caller);
    const answer = { approved: status === 'approved', note, inviter };
    const { events } = await answerWish(context, tx, { group, invite }, joiner, reviewer, answer);
    return { result: undefined, events };
  });
}

async function ended({ clock, database }: InvitesContext, ask: AskRow, status: string): Promise<void> {
  await database.transaction((tx) => noteEnded(tx, ask.id, wantedOf(status), new Date(clock.now())));
}

/** Those are asked whose word counts now. */
async function askAnew(
  context: InvitesContext,
  ask: AskRow,
  named: InviteRow,
  status: string,
): Promise<void> {
  await changeInvite<void>(context, named, async (tx, _, invite) => {
    const nothing = { result: undefined, events: [] };
    const join = await findJoin(tx, invite.id, ask.person);
    if (!(await noteEnded(tx, ask.id, wantedOf(status), new Date(context.clock.now())))) return nothing;
    if (join?.status === 'waiting' && join.approval === ask.id && invite.status !== 'declined')
      await writeJoin(tx, await withAsk(context, tx, invite, join));
    return nothing;
  });
  await tellAsks(context, named.id);
}

function wantedOf(status: string): AskRow['wanted'] {
  return status === 'approved' || status === 'declined' ? status : 'cancelled';
}

/** Who answered, as who does it from here on. */
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
