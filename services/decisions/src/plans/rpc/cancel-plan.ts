import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { findRun } from '../actions/find-visible.ts';
import { showPlan } from '../actions/show-plans.ts';
import type { Context } from '../context.ts';

/** Cancels a plan for good. Repeated it answers the same. */
export const cancelPlan =
  (context: Context): UnaryHandler<typeof PlansService.method.cancelPlan> =>
  async ({ id, reason }, { caller }) => {
    const found = await findRun(context, id, caller);
    const state = await context.plans.actOn(found, () => ({
      act: { kind: 'cancel', why: 'cancelled', reason },
      by: caller,
      note: reason,
    }));
    return await showPlan(context, state, caller);
  };
