import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';

/** Settles a plan on an option, whatever stances people took. */
export const settlePlan =
  (context: Context): UnaryHandler<typeof PlansService.method.settlePlan> =>
  async ({ id, option, confirmRefused = false }, { caller }) => {
    const found = await course.findRun(context, id, caller);
    return await course.change(context, found, caller, () => ({
      act: { kind: 'settle', option, confirmRefused },
    }));
  };
