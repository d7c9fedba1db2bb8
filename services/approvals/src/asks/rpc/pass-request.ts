import { forbidden } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { findVisible } from '../actions/find-visible.ts';
import { passOn } from '../actions/move-places.ts';
import { showApproval } from '../actions/show-approvals.ts';
import type { Context } from '../context.ts';

/** Passes an ask or invite from the AI at the front door on to its person's requests. */
export const passRequest =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.passRequest> =>
  async ({ id, note = '' }, call) => {
    if (parseId('inv', id) !== null) return await context.requests.pass(id, note, call);
    const { caller } = call;
    const found = await findVisible(context, id, caller);
    const place = found.recipients.find(({ front_door }) => front_door === caller.id);
    if (place === undefined || place.person === null)
      throw forbidden('this did not come to you at the front door of your person');
    if (place.passed_at === null) await passOn(context, place, note, caller);
    return await showApproval(context, (await context.batched.find(found.approval.id)) ?? found, caller);
  };
