import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { changeApproval } from '../actions/change-approval.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showApproval } from '../actions/show-approvals.ts';
import { requireAsker } from '../actions/viewer.ts';
import type { Context } from '../context.ts';

/** Cancels an ask. Idempotent. */
export const cancelApproval =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.cancelApproval> =>
  async ({ id }, { caller }) => {
    const found = await findVisible(context, id, caller);
    const { approval } = found;
    requireAsker(approval, caller, 'take it back');
    if (approval.status === 'cancelled') return await showApproval(context, found, caller);
    const change = { act: { kind: 'cancel' }, by: caller.id } as const;
    const after = await changeApproval(context, approval.id, () => change, caller);
    return await showApproval(context, after, caller);
  };
