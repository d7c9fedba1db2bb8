import type { Context } from '../../context.ts';
import { type ApprovalRow, findApproval } from '../../db/approvals.ts';
import { expireApproval, finishNow, isDue } from '../../settle/change.ts';
import { approvalTopic } from '../../topics.ts';
import { findVisible } from './find-visible.ts';
import type { ApprovalsHandlers } from './index.ts';
import { showApproval } from './show-approvals.ts';

/** One approval in full; held until it settles when that is asked for. */
export const getApproval =
  (context: Context): ApprovalsHandlers['getApproval'] =>
  async ({ id, wait }, call) => {
    const { approval } = await findVisible(context, id, call.caller);
    const current = await upToDate(context, approval);
    if (current.status === 'waiting' && (wait ?? 0) > 0) call.waitOn(approvalTopic(current.id));
    return await showApproval(context, current, call.caller);
  };

/** As it is once everything that is due about it is done: a late job shows nobody a state that is over. */
async function upToDate(context: Context, approval: ApprovalRow): Promise<ApprovalRow> {
  if (isDue(approval, context.clock.now())) await expireApproval(context, approval.id);
  else if (approval.status !== 'waiting' && approval.signed_answer === null)
    await finishNow(context, approval.id);
  else return approval;
  return (await findApproval(context.database.db, approval.id)) ?? approval;
}
