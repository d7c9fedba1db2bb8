import { notFound } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { changeUnsettled } from '../actions/change-approval.ts';
import type { Context } from '../context.ts';
import { findApproval } from '../db/approvals.ts';

/** Cancels the ask of an agreement that ended without an answer. */
export const cancelAgreement =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.cancelAgreement> =>
  async ({ id }) => {
    const approval = isUuid(id) ? await findApproval(context.database.db, id) : null;
    if (approval?.kind !== 'agreement') throw notFound();
    await changeUnsettled(context, id, () => ({ act: { kind: 'cancel' }, by: null }));
    return {};
  };
