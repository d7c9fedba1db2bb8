import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { deadlineOf } from '../../shared/actions/deadline.ts';
import { findRun } from '../actions/find-visible.ts';
import { showPlan } from '../actions/show-plans.ts';
import type { Context } from '../context.ts';

/** Gives an open plan more time. */
export const extendPlan =
  (context: Context): UnaryHandler<typeof PlansService.method.extendPlan> =>
  async ({ id, deadlineHours }, { caller }) => {
    const found = await findRun(context, id, caller);
    const deadline = deadlineOf(context, deadlineHours, 'plan_deadline_least_seconds').getTime();
    const state = await context.plans.actOn(found, () => ({
      act: { kind: 'extend', deadline },
      by: caller,
    }));
    return await showPlan(context, state, caller);
  };
