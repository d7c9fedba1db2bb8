import type { Tx } from '@hearth/db';
import { internal } from '@hearth/errors';
import { momentOfNo } from '@hearth/home-acts';
import { createMachine, type Machine, type UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { AskParts, Context, Deps } from '../context.ts';
import { type ApprovalRow, lockApproval, nextRev } from '../db/approvals.ts';
import { planNoes } from '../db/home-places.ts';
import { dropRecipients, listRecipients, type RecipientRow, storeAnswer } from '../db/recipients.ts';
import { settleApprovals } from '../db/settle.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { applyChange, type Change } from '../domain/apply-change.ts';
import { askState, isAway } from '../domain/home-ask.ts';
import { isDue, settledAlready } from '../domain/machine.ts';
import { approvalsTopic } from '../domain/topics.ts';
import { recordSettled } from './metrics.ts';

/** State machine that changes approvals with their rows locked, one change after the other. */
export type ApprovalMachine = Machine<string, WholeApproval, Called, boolean>;

type Called = Change & { caller?: Caller | undefined };

type MachineParts = Pick<AskParts, 'clock' | 'commit' | 'homeNames' | 'ids'> & Pick<Deps, 'rules'>;

/** `done` tells whether the change settled the approval. */
export function createApprovalMachine({
  clock,
  commit,
  homeNames,
  ids,
  rules,
}: MachineParts): ApprovalMachine {
  return createMachine<string, WholeApproval, Called, boolean>({
    commit,
    lock: lockWhole,
    next: (before, change) => applyChange(before, change, settlingNow({ clock, ids })),
    async write(tx, { after, act: { act, answer, caller } }) {
      const { approval } = after;
      const { id, kind, status } = approval;
      if (act.kind === 'drop') await dropRecipients(tx, id, act.positions, act.why);
      const position = 'position' in act ? act.position : null;
      if (status === 'waiting') {
        if (position !== null && answer !== undefined)
          await storeAnswer(tx, { approval: id, position }, answer);
        await announceState(tx, homeNames, after);
        return false;
      }
      await settleApprovals(tx, [{ id, settlement: approval, position, given: answer ?? null }]);
      recordSettled({ status, kind });
      if (kind === 'rules') await rules.settleProposal(tx, { id, status, at: approval.settled_at! }, caller);
      return true;
    },
  });
}

/** Both statements are pipelined: the second runs once the lock is held, and sees the current rows. */
async function lockWhole(tx: Tx, id: string): Promise<WholeApproval | null> {
  const [approval, recipients] = await Promise.all([lockApproval(tx, id), listRecipients(tx, id)]);
  return approval === null ? null : { approval, recipients };
}

const settlingNow = ({ clock, ids }: Pick<Context, 'clock' | 'ids'>) => ({
  at: new Date(clock.now()),
  record: ids.uuid(),
});

type Decide = (
  approval: ApprovalRow,
  recipients: RecipientRow[],
  tx: UnitOfWork,
) => Promise<Change | null> | Change | null;

const expiry: Change = { act: { kind: 'expire' }, by: null };

/**
 * Changes an approval with its row locked. If the change settles the approval, it is signed, stored and
 * announced before this resolves; if that fails, a job retries.
 *
 * @param decide gets the current approval and recipients; null changes nothing
 * @returns the approval after the change, apart from rows that `decide` wrote itself
 * @throws not_found; bad_request (already_settled) if the approval had expired
 */
export async function changeApproval(
  context: Context,
  id: string,
  decide: Decide,
  caller?: Caller,
  isAnswer = false,
): Promise<WholeApproval> {
  const { approvals, clock } = context;
  const { state, done, late } = await approvals.locked(id, async (tx, before) => {
    const { approval, recipients } = before;
    const late = isDue(approval, clock.now());
    const elsewhere = approval.home !== null;
    const change = late ? (elsewhere ? null : expiry) : await decide(approval, recipients, tx);
    if (elsewhere && change !== null) await leaveElsewhere(context, tx, before, change);
    const acted =
      change === null || elsewhere
        ? { state: before, done: undefined }
        : await approvals.take(tx, before, { ...change, caller });
    if (acted.done !== true) tx.wake(...ownersOf(before).map(approvalsTopic));
    return { ...acted, late };
  });
  const after = done === true ? await context.signing.now({ ...state, isAnswer }, caller) : state;
  if (late) throw settledAlready('expired');
  return after;
}

/**
 * `changeApproval` for an answer. With a single recipient any answer settles the approval, so one conditional
 * statement replaces the lock. Falls back to the lock if the approval changed since it was read, or if
 * contact rules change with it.
 *
 * @param read the approval as read a moment ago
 */
export async function answerApproval(
  context: Context,
  read: WholeApproval,
  decide: (approval: ApprovalRow, recipients: RecipientRow[]) => Change | null,
  caller?: Caller,
): Promise<WholeApproval> {
  const after = await settleAtOnce(context, read, decide);
  if (after !== null) return await context.signing.now({ ...after, isAnswer: true }, caller);
  return await changeApproval(context, read.approval.id, decide, caller, true);
}

/** Returns null, and writes nothing, if the approval needs the lock or was settled concurrently. */
async function settleAtOnce(
  context: Context,
  read: WholeApproval,
  decide: (approval: ApprovalRow, recipients: RecipientRow[]) => Change | null,
): Promise<WholeApproval | null> {
  const { batched, clock } = context;
  const { approval, recipients } = read;
  const [first, ...others] = recipients;
  // A place that moves with a guardian, or away from a front door, may have another holder since it was read.
  const stays = first?.guards === null && first.box !== 'front_door';
  const isSimple = stays && others.length === 0 && approval.kind !== 'rules';
  if (!isSimple || approval.status !== 'waiting' || isDue(approval, clock.now())) return null;
  const change = decide(approval, recipients);
  if (change === null) return null;
  const { act, answer: given } = change;
  const after = applyChange(read, change, settlingNow(context));
  const { id, kind, status } = after.approval;
  if (act.kind !== 'answer' || given === undefined || status === 'waiting') return null;
  const settled = await batched.settle({ id, settlement: after.approval, position: act.position, given });
  if (!settled) return null;
  recordSettled({ status, kind });
  return after;
}

/** `changeApproval` that ignores an approval that is settled already. */
export async function changeUnsettled(context: Context, id: string, decide: Decide): Promise<void> {
  try {
    await changeApproval(context, id, decide);
  } catch (error) {
    if ((error as { details?: { code?: string } }).details?.code !== 'already_settled') throw error;
  }
}

/** Counts waiting recipients who can no longer answer as having declined. */
export async function dropGone(
  context: Context,
  id: string,
  isGone: (recipient: RecipientRow) => boolean,
): Promise<void> {
  await changeUnsettled(context, id, (_, recipients) => {
    const gone = recipients.filter((recipient) => recipient.decision === 'waiting' && isGone(recipient));
    const positions = gone.map(({ position }) => position);
    return positions.length === 0
      ? null
      : { act: { kind: 'drop', positions, why: 'recipient_gone' }, by: null };
  });
}

/** Sends the current state to the other homes with recipients of the ask. */
export async function announceState(
  tx: UnitOfWork,
  names: AskParts['homeNames'],
  whole: WholeApproval,
): Promise<void> {
  if (isAway(whole)) tx.announce(askState(whole, { names, rev: await nextRev(tx, whole.approval.id) }));
}

/**
 * For an ask of another home, which settles it: each dropped recipient here sends a no at a random moment
 * within the hour.
 */
async function leaveElsewhere(
  context: Context,
  tx: UnitOfWork,
  { approval, recipients }: WholeApproval,
  { act }: Change,
): Promise<void> {
  if (act.kind !== 'drop') throw internal(`an ask of another home takes no ${act.kind}`);
  const open = recipients.filter(
    ({ position, decision, act: sent }) =>
      decision === 'waiting' && sent === null && act.positions.includes(position),
  );
  if (open.length === 0) return;
  const positions = open.map(({ position }) => position);
  await dropRecipients(tx, approval.id, positions, act.why);
  await planNoes(tx, approval.id, positions, momentOfNo(context));
}

/** Settles an approval that has expired. */
export async function expireApproval(context: Context, id: string): Promise<void> {
  const { approvals, clock } = context;
  const now = clock.now();
  const { state, done } = await approvals.act(id, ({ approval }) => (isDue(approval, now) ? expiry : null));
  if (done === true) await context.signing.now(state);
}

function ownersOf({ approval, recipients }: WholeApproval): string[] {
  const all = [approval.asker, approval.asker_person, ...recipients.map(({ owner }) => owner)];
  return [...new Set(all.filter((id) => id !== null))];
}
