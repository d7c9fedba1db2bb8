import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';

/** Cancels a decision for good. Idempotent. */
export const cancelDecision =
  (context: Context): UnaryHandler<typeof DecisionsService.method.cancelDecision> =>
  async ({ id }, { caller }) => {
    const found = await course.findRun(context, id, caller);
    return await course.change(context, found, caller, () => ({
      act: { kind: 'cancel', why: 'cancelled' },
    }));
  };
