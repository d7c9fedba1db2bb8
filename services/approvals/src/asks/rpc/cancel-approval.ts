import { forbidden } from '@hearth/errors';
import { type Caller, callerKinds } from '@hearth/rpc';
import { changeApproval } from '../actions/change-approval.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showApproval } from '../actions/show-approvals.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import type { ApprovalsHandlers } from './index.ts';

/** Takes an ask back. Done again it answers the same. */
export const cancelApproval =
  (context: Context): ApprovalsHandlers['cancelApproval'] =>
  async ({ id }, { caller }) => {
    const found = await findVisible(context, id, caller);
    const { approval } = found;
    requireAsker(approval, caller, 'take it back');
    if (approval.status === 'cancelled') return await showApproval(context, found, caller);
    const change = { act: { kind: 'cancel' }, by: caller.id } as const;
    const after = await changeApproval(context, approval.id, () => change, caller);
    return await showApproval(context, after, caller);
  };

/**
 * Who asked, or their person.
 *
 * @throws forbidden for everybody else who sees it
 */
export function requireAsker({ asker, asker_person }: ApprovalRow, caller: Caller, what: string): void {
  if (caller.id === asker) return;
  if (caller.kind === callerKinds.PERSON && caller.id === asker_person) return;
  throw forbidden(`only who asked, or the person behind, can ${what}`);
}
