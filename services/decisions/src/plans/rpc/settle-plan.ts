import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { findRun } from '../actions/find-visible.ts';
import { showPlan } from '../actions/show-plans.ts';
import type { Context } from '../context.ts';

/** Settles a plan on an option, whatever its people said. */
export const settlePlan =
  (context: Context): UnaryHandler<typeof PlansService.method.settlePlan> =>
  async ({ id, option, confirmRefused = false }, { caller }) => {
    const found = await findRun(context, id, caller);
    const state = await context.plans.actOn(found, () => ({
      act: { kind: 'settle', option, confirmRefused },
      by: caller,
    }));
    return await showPlan(context, await context.signing.now(state, caller), caller);
  };
