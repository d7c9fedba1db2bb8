import { HearthError } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { awaitedBy } from '../../shared/domain/awaited.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import { awaited } from '../domain/decision.ts';
import { requireOpen } from '../domain/machine.ts';
import { courseOf } from '../domain/state.ts';

/** Reminds the people the decision waits for. */
export const remindDecision =
  (context: Context): UnaryHandler<typeof DecisionsService.method.remindDecision> =>
  async ({ id }, { caller }) => {
    const { clock, limits, things } = context;
    const found = await course.findRun(context, id, caller);
    const everyMs = sizeOf(limits, 'decision_remind_seconds') * 1_000;
    const after = await things.actOn(found, ({ row }) => {
      requireOpen(row);
      const again = (row.reminded_at?.getTime() ?? -Infinity) + everyMs;
      if (again > clock.now()) throw remindedLately(new Date(again));
      return { tells: 'reminded', notes: { reminded_at: new Date(clock.now()) }, by: caller };
    });
    return { reminded: awaitedBy(awaited(courseOf(after))).length };
  };

function remindedLately(resetsAt: Date): HearthError {
  return new HearthError(
    'rate_limited',
    `they were reminded lately; remind again after ${resetsAt.toISOString()}`,
    {
      code: 'rate_limited',
      limit: 'decision_remind_seconds',
      resetsAt,
    },
  );
}
