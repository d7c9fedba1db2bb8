import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { deadlineOf } from '../../shared/actions/deadline.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';

/** Moves an open plan's deadline. */
export const extendPlan =
  (context: Context): UnaryHandler<typeof PlansService.method.extendPlan> =>
  async ({ id, deadlineHours }, { caller }) => {
    const found = await course.findRun(context, id, caller);
    const deadline = deadlineOf(context, deadlineHours, 'plan_deadline_least_seconds').getTime();
    return await course.change(context, found, caller, () => ({ act: { kind: 'extend', deadline } }));
  };
