import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';

export const getPlan =
  (context: Context): UnaryHandler<typeof PlansService.method.getPlan> =>
  async (request, call) =>
    await course.get(context, request, call);
