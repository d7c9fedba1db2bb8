import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { findVisible } from '../actions/find-visible.ts';
import { showPlan } from '../actions/show-plans.ts';
import type { Context } from '../context.ts';
import { isFinal } from '../domain/plan.ts';
import { planTopic } from '../domain/topics.ts';

/** Held until the plan changes when the caller asks for that. */
export const getPlan =
  (context: Context): UnaryHandler<typeof PlansService.method.getPlan> =>
  async ({ id, wait, revision }, call) => {
    const found = await findVisible(context, id, call.caller);
    const { row } = found;
    const isKnown = revision !== undefined && revision >= row.revision;
    if ((wait ?? 0) > 0 && isKnown && !isFinal(row)) call.waitOn(planTopic(row.id));
    return await showPlan(context, found, call.caller);
  };
