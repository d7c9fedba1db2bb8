import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { findElsewhere, waitOnCopy } from '../../shared/actions/elsewhere.ts';
import { findVisible } from '../actions/find-visible.ts';
import { showCopy } from '../actions/show-copies.ts';
import { showPlan } from '../actions/show-plans.ts';
import type { Context } from '../context.ts';
import { isFinal } from '../domain/plan.ts';
import { planTopic } from '../domain/topics.ts';

/** Held until the plan changes when the caller asks for that. */
export const getPlan =
  (context: Context): UnaryHandler<typeof PlansService.method.getPlan> =>
  async ({ id, wait, revision }, call) => {
    const copy = await findElsewhere(context.copies, id, call.caller);
    if (copy !== null) {
      waitOnCopy(call, copy, { wait, revision });
      return await showCopy(context, copy, call.caller);
    }
    const found = await findVisible(context, id, call.caller);
    const { row } = found;
    const isKnown = revision !== undefined && revision >= row.revision;
    if ((wait ?? 0) > 0 && isKnown && !isFinal(row)) call.waitOn(planTopic(row.id));
    return await showPlan(context, found, call.caller);
  };
