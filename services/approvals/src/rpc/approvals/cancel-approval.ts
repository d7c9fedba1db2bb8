import { forbidden } from '@hearth/errors';
import { type Caller, callerKinds } from '@hearth/rpc';
import type { Context } from '../../context.ts';
import { type ApprovalRow, findApproval } from '../../db/approvals.ts';
import { changeApproval } from '../../settle/change.ts';
import { findVisible } from './find-visible.ts';
import type { ApprovalsHandlers } from './index.ts';
import { showApproval } from './show-approvals.ts';

/** Takes an ask back. Done again it answers the same. */
export const cancelApproval =
  (context: Context): ApprovalsHandlers['cancelApproval'] =>
  async ({ id }, { caller }) => {
    const { approval } = await findVisible(context, id, caller);
    requireAsker(approval, caller, 'take it back');
    if (approval.status !== 'cancelled') {
      const change = { act: { kind: 'cancel' }, by: caller.id } as const;
      await changeApproval(context, approval.id, () => change, caller);
    }
    const now = await findApproval(context.database.db, approval.id);
    return await showApproval(context, now ?? approval, caller);
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
