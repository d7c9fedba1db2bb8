import type { Tx } from '@hearth/db';
import { internal, notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import { settleProposal } from '../../contact-rules/actions/settle-proposal.ts';
import { approvalsTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { type ApprovalRow, lockApproval } from '../db/approvals.ts';
import {
  dropRecipients,
  type GivenAnswer,
  listRecipients,
  type RecipientRow,
  storeAnswer,
} from '../db/recipients.ts';
import { type Settlement, settleApproval, settleByAnswers } from '../db/settle.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { applied } from '../domain/applied.ts';
import { type Act, type Course, next, settledAlready } from '../domain/machine.ts';
import { recordSettled } from './metrics.ts';
import { finish } from './sign-approval.ts';

/** What happens to an approval, with the answer where it is one. */
export interface Change {
  act: Act;
  answer?: GivenAnswer;
  /** uuid of whoever does it; null when it happens by itself or by mail. */
  by: string | null;
}

type Decide = (
  approval: ApprovalRow,
  recipients: RecipientRow[],
  tx: Tx,
) => Promise<Change | null> | Change | null;

/**
 * Changes an approval with its row locked, so that of many answers at once each sees what the one before made of it. When
 * it settles by that it is signed, kept and announced before this resolves; where that fails a job goes on with it.
 *
 * @param decide given the approval and those who are asked as they are then; null to leave it as it is
 * @returns as it is then, apart from what `decide` wrote itself
 * @throws not_found for an approval that there is not; bad_request (already_settled) when its time was over
 */
export async function changeApproval(
  context: Context,
  id: string,
  decide: Decide,
  caller?: Caller,
): Promise<WholeApproval> {
  const { clock, database, outbox } = context;
  const written = await database.transaction(async (tx) => {
    const before = await lockWhole(tx, id);
    if (before === null) throw notFound();
    const late = isDue(before.approval, clock.now());
    const change = late ? expiry : await decide(before.approval, before.recipients, tx);
    const done = change === null ? unchanged(before) : await write(context, tx, before, change, caller);
    return { ...done, late, owners: ownersOf(before) };
  });
  if (!written.settled) outbox.wake(written.owners.map(approvalsTopic));
  const after = await afterCommit(context, written, caller);
  if (written.late) throw settledAlready('expired');
  return after;
}

/**
 * The same for an answer. Where one alone is asked, whatever they say settles it, so that a statement that writes where it
 * still waits is as good as a lock. What changed since it was read, and what changes rules with it, is changed with its row
 * locked.
 *
 * @param read as it was a moment ago
 */
export async function answerApproval(
  context: Context,
  read: WholeApproval,
  decide: (approval: ApprovalRow, recipients: RecipientRow[]) => Change,
  caller?: Caller,
): Promise<WholeApproval> {
  const after = await settleAtOnce(context, read, decide);
  if (after !== null) return await finishNow(context, after, caller);
  return await changeApproval(context, read.approval.id, decide, caller);
}

/** Null when it is not to be settled so, or settled meanwhile; nothing is written then. */
async function settleAtOnce(
  context: Context,
  read: WholeApproval,
  decide: (approval: ApprovalRow, recipients: RecipientRow[]) => Change,
): Promise<WholeApproval | null> {
  const { approval, recipients } = read;
  const [first, ...others] = recipients;
  // A place that moves with a guardian, or away from a front door, may be somebody else's by now.
  const stays = first?.guards === null && first.box !== 'front_door';
  const isSimple = stays && others.length === 0 && approval.kind !== 'rules';
  if (!isSimple || approval.status !== 'waiting' || isDue(approval, context.clock.now())) return null;
  const change = decide(approval, recipients);
  const { act, answer } = change;
  const settlement = settlementOf(context, read, change);
  if (settlement === null || act.kind !== 'answer' || answer === undefined) return null;
  const { id, kind } = approval;
  if (!(await context.gathered.settle({ id, settlement, position: act.position, given: answer })))
    return null;
  recordSettled({ status: settlement.status, kind });
  return applied(read, change, settlement);
}

/** The same where what settled meanwhile is as it should be. */
export async function changeUnsettled(context: Context, id: string, decide: Decide): Promise<void> {
  try {
    await changeApproval(context, id, decide);
  } catch (error) {
    if ((error as { details?: { code?: string } }).details?.code !== 'already_settled') throw error;
  }
}

/** Settles what ran out of time; whatever else became of it stays. */
export async function expireApproval(context: Context, id: string): Promise<void> {
  const written = await context.database.transaction(async (tx) => {
    const before = await lockWhole(tx, id);
    if (before === null || !isDue(before.approval, context.clock.now())) return null;
    return await write(context, tx, before, expiry);
  });
  if (written !== null) await afterCommit(context, written);
}

/** Sent together: the second is run once the lock is there, and sees what it was waited for. */
async function lockWhole(tx: Tx, id: string): Promise<WholeApproval | null> {
  const [approval, recipients] = await Promise.all([lockApproval(tx, id), listRecipients(tx, id)]);
  return approval === null ? null : { approval, recipients };
}

const expiry: Change = { act: { kind: 'expire' }, by: null };

export function isDue({ status, expires_at }: ApprovalRow, now: number): boolean {
  return status === 'waiting' && expires_at.getTime() <= now;
}

interface Written {
  settled: boolean;
  after: WholeApproval;
  /** What settling announces beside itself. */
  events: OutboxRow[];
}

const unchanged = (after: WholeApproval): Written => ({ settled: false, after, events: [] });

async function afterCommit(
  context: Context,
  { settled, after, events }: Written,
  caller?: Caller,
): Promise<WholeApproval> {
  if (events.length > 0) context.outbox.committed(events);
  return settled ? await finishNow(context, after, caller) : after;
}

/** Writes what a change makes of it, with its row locked. */
async function write(
  context: Context,
  tx: Tx,
  before: WholeApproval,
  change: Change,
  caller?: Caller,
): Promise<Written> {
  const { id, kind } = before.approval;
  const { act, answer } = change;
  const course = courseOf(before);
  if (next(course, act) === course) return unchanged(before);
  const settlement = settlementOf(context, before, change);
  if (act.kind === 'drop') await dropRecipients(tx, id, act.positions, act.why);
  const isAnswer = act.kind === 'answer' || act.kind === 'settle';
  const position = isAnswer && answer !== undefined ? act.position : null;
  const given = answer as GivenAnswer;
  if (settlement === null) {
    if (position !== null) await storeAnswer(tx, { approval: id, position }, given);
    return unchanged(applied(before, change, null));
  }
  if (position === null) await settleApproval(tx, id, settlement);
  else await settleByAnswers(tx, [{ id, settlement, position, given }]);
  recordSettled({ status: settlement.status, kind });
  const events = kind === 'rules' ? await settleRules(context, tx, id, settlement, caller) : [];
  return { settled: true, after: applied(before, change, settlement), events };
}

async function settleRules(
  { outbox }: Context,
  tx: Tx,
  id: string,
  { status, at }: Settlement,
  caller: Caller | undefined,
): Promise<OutboxRow[]> {
  const events = await settleProposal(outbox, tx, { id, status, at }, caller);
  if (events.length > 0) await outbox.announce(tx, events);
  return events;
}

/** How it settles by that change; null when it waits on. */
function settlementOf(
  { clock, ids }: Context,
  before: WholeApproval,
  { act, answer, by }: Change,
): Settlement | null {
  if (act.kind === 'answer' && answer === undefined) throw internal('an answer without its words');
  const { status, why } = next(courseOf(before), act);
  if (status === 'waiting') return null;
  return { status, why, at: new Date(clock.now()), by, record: ids.uuid() };
}

function courseOf({ approval, recipients }: WholeApproval): Course {
  const { status, needs, why } = approval;
  return { status, needs, why, asked: recipients };
}

function ownersOf({ approval, recipients }: WholeApproval): string[] {
  const all = [approval.asker, approval.asker_person, ...recipients.map(({ owner }) => owner)];
  return [...new Set(all.filter((id) => id !== null))];
}

/** Signed where that works; what could not be signed now is signed by the job. */
export async function finishNow(
  context: Context,
  settled: WholeApproval,
  caller?: Caller,
): Promise<WholeApproval> {
  try {
    return await finish(context, settled, caller);
  } catch (err) {
    context.log.warn({ err, approval: settled.approval.id }, 'a settled approval waits to be signed');
    return settled;
  }
}
