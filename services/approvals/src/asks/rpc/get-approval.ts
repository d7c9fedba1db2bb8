import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { expireApproval } from '../actions/change-approval.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showApproval } from '../actions/show-approvals.ts';
import type { Context } from '../context.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { isDue } from '../domain/machine.ts';
import { approvalTopic } from '../domain/topics.ts';

/** With `wait`, the call is held until the approval settles. */
export const getApproval =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.getApproval> =>
  async ({ id, wait }, call) => {
    const current = await upToDate(context, await findVisible(context, id, call.caller));
    const { status, id: uuid } = current.approval;
    if (status === 'waiting' && (wait ?? 0) > 0) call.waitOn(approvalTopic(uuid));
    return await showApproval(context, current, call.caller);
  };

/** Does what is overdue first (expiry, signature), so that a late job never shows an outdated state. */
async function upToDate(context: Context, found: WholeApproval): Promise<WholeApproval> {
  const { approval } = found;
  if (approval.home !== null) return found;
  if (!isDue(approval, context.clock.now())) return await context.signing.now(found);
  await expireApproval(context, approval.id);
  return (await context.batched.find(approval.id)) ?? found;
}
