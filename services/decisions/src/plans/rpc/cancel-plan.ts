import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';

/** Cancels a plan for good. Idempotent. */
export const cancelPlan =
  (context: Context): UnaryHandler<typeof PlansService.method.cancelPlan> =>
  async ({ id, reason }, { caller }) => {
    const found = await course.findRun(context, id, caller);
    return await course.change(context, found, caller, () => ({
      act: { kind: 'cancel', why: 'cancelled', reason },
      note: reason,
    }));
  };
