import { approvalTopic } from '../../shared/domain/topics.ts';
import { expireApproval, finishNow, isDue } from '../actions/change-approval.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showApproval } from '../actions/show-approvals.ts';
import type { Context } from '../context.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import type { ApprovalsHandlers } from './index.ts';

/** One approval in full; held until it settles when that is asked for. */
export const getApproval =
  (context: Context): ApprovalsHandlers['getApproval'] =>
  async ({ id, wait }, call) => {
    const current = await upToDate(context, await findVisible(context, id, call.caller));
    const { status, id: uuid } = current.approval;
    if (status === 'waiting' && (wait ?? 0) > 0) call.waitOn(approvalTopic(uuid));
    return await showApproval(context, current, call.caller);
  };

/** As it is once everything that is due about it is done: a late job shows nobody a state that is over. */
async function upToDate(context: Context, found: WholeApproval): Promise<WholeApproval> {
  const { approval } = found;
  if (!isDue(approval, context.clock.now())) return await finishNow(context, found);
  await expireApproval(context, approval.id);
  return (await context.gathered.find(approval.id)) ?? found;
}
