import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { changeUnsettled } from '../actions/change-approval.ts';
import { requireJoin } from '../actions/require-join.ts';
import type { Context } from '../context.ts';

/** Cancels the ask of a join request that no longer needs an answer. */
export const cancelJoin =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.cancelJoin> =>
  async ({ id }) => {
    await requireJoin(context, id);
    await changeUnsettled(context, id, () => ({ act: { kind: 'cancel' }, by: null }));
    return {};
  };
