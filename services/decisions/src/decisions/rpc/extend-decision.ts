import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { deadlineOf } from '../../shared/actions/deadline.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';

/** Moves an open decision's deadline. */
export const extendDecision =
  (context: Context): UnaryHandler<typeof DecisionsService.method.extendDecision> =>
  async ({ id, deadlineHours }, { caller }) => {
    const found = await course.findRun(context, id, caller);
    const deadline = deadlineOf(context, deadlineHours, 'decision_deadline_least_seconds').getTime();
    return await course.change(context, found, caller, () => ({ act: { kind: 'extend', deadline } }));
  };
