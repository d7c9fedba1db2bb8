import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';

export const getDecision =
  (context: Context): UnaryHandler<typeof DecisionsService.method.getDecision> =>
  async (request, call) =>
    await course.get(context, request, call);
