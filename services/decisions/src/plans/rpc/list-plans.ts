import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';

export const listPlans =
  (context: Context): UnaryHandler<typeof PlansService.method.listPlans> =>
  async (request, { caller }) => {
    const { shown: plans, nextCursor } = await course.list(context, request, caller);
    return { plans, nextCursor };
  };
