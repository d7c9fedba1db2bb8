import type { Tx } from '@hearth/db';
import { internal, notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { type ApprovalRow, lockApproval, settleApproval } from '../db/approvals.ts';
import {
  dropRecipients,
  type GivenAnswer,
  listRecipients,
  type RecipientRow,
  storeAnswer,
} from '../db/recipients.ts';
import { type Act, type Course, next, settledAlready } from '../domain/machine.ts';
import { recordSettled } from '../metrics.ts';
import { approvalsTopic } from '../topics.ts';
import { finish } from './finish.ts';
import { settleProposal } from './settle-proposal.ts';

/** What happens to an approval, with the answer where it is one. */
export interface Change {
  act: Act;
  answer?: GivenAnswer;
  /** uuid of whoever does it; null when it happens by itself or by mail. */
  by: string | null;
}

interface Written {
  settled: OutboxRow[] | null;
  /** Its time was over before the change. */
  late: boolean;
  owners: string[];
}

/**
 * Changes an approval with its row locked, so that of many answers at once each sees what the one before made of it. When
 * it settles by that it is signed, kept and announced before this resolves; where that fails a job goes on with it.
 *
 * @param decide given the approval and those who are asked as they are then; null to leave it as it is
 * @throws not_found for an approval that there is not; bad_request (already_settled) when its time was over
 */
export async function changeApproval(
  context: Context,
  id: string,
  decide: (
    approval: ApprovalRow,
    recipients: RecipientRow[],
    tx: Tx,
  ) => Promise<Change | null> | Change | null,
  caller?: Caller,
): Promise<void> {
  const { database, outbox } = context;
  const written = await database.transaction(async (tx) => {
    const approval = await lockApproval(tx, id);
    if (approval === null) throw notFound();
    const recipients = await listRecipients(tx, id);
    const late = isDue(approval, context.clock.now());
    const change = late ? expiry : await decide(approval, recipients, tx);
    const settled = change === null ? null : await write(context, tx, approval, recipients, change, caller);
    return { settled, late, owners: ownersOf(approval, recipients) };
  });
  if (written.settled !== null) {
    outbox.committed(written.settled);
    await finishNow(context, id, caller);
  } else outbox.wake(written.owners.map(approvalsTopic));
  if (written.late) throw settledAlready('expired');
}

/** The same where what settled meanwhile is as it should be. */
export async function changeUnsettled(
  context: Context,
  id: string,
  decide: Parameters<typeof changeApproval>[2],
): Promise<void> {
  try {
    await changeApproval(context, id, decide);
  } catch (error) {
    if ((error as { details?: { code?: string } }).details?.code !== 'already_settled') throw error;
  }
}

/** Settles what ran out of time; whatever else became of it stays. */
export async function expireApproval(context: Context, id: string): Promise<void> {
  const written = await context.database.transaction(async (tx): Promise<Written | null> => {
    const approval = await lockApproval(tx, id);
    if (approval === null || !isDue(approval, context.clock.now())) return null;
    const recipients = await listRecipients(tx, id);
    const settled = await write(context, tx, approval, recipients, expiry);
    return { settled, late: true, owners: [] };
  });
  if (written === null || written.settled === null) return;
  context.outbox.committed(written.settled);
  await finishNow(context, id);
}

const expiry: Change = { act: { kind: 'expire' }, by: null };

export function isDue({ status, expires_at }: ApprovalRow, now: number): boolean {
  return status === 'waiting' && expires_at.getTime() <= now;
}

/** Writes what a change makes of it; null when it did not settle by that, else what that announces beside itself. */
async function write(
  { clock, ids, outbox }: Context,
  tx: Tx,
  approval: ApprovalRow,
  recipients: readonly RecipientRow[],
  { act, answer, by }: Change,
  caller?: Caller,
): Promise<OutboxRow[] | null> {
  const before = courseOf(approval, recipients);
  const after = next(before, act);
  if (after === before) return null;
  if (act.kind === 'answer') {
    if (answer === undefined) throw internal('an answer without its words');
    await storeAnswer(tx, { approval: approval.id, position: act.position }, answer);
  }
  if (act.kind === 'settle' && act.position !== null && answer !== undefined) {
    await storeAnswer(tx, { approval: approval.id, position: act.position }, answer);
  }
  if (act.kind === 'drop') await dropRecipients(tx, approval.id, act.positions, act.why);
  if (after.status === 'waiting') return null;
  const at = new Date(clock.now());
  await settleApproval(tx, approval.id, {
    status: after.status,
    why: after.why,
    at,
    by,
    record: ids.uuid(),
  });
  recordSettled({ status: after.status, kind: approval.kind });
  if (approval.kind !== 'rules') return [];
  const settled = { id: approval.id, status: after.status, at };
  const events = await settleProposal(outbox, tx, settled, caller);
  if (events.length > 0) await outbox.announce(tx, events);
  return events;
}

function courseOf(approval: ApprovalRow, recipients: readonly RecipientRow[]): Course {
  const { status, needs, why } = approval;
  return { status, needs, why, asked: recipients };
}

function ownersOf(approval: ApprovalRow, recipients: readonly RecipientRow[]): string[] {
  const all = [approval.asker, approval.asker_person, ...recipients.map(({ owner }) => owner)];
  return [...new Set(all.filter((id) => id !== null))];
}

/** What could not be signed now is signed by the job. */
export async function finishNow(context: Context, id: string, caller?: Caller): Promise<void> {
  try {
    await finish(context, id, caller);
  } catch (err) {
    context.log.warn({ err, approval: id }, 'a settled approval waits to be signed');
  }
}
