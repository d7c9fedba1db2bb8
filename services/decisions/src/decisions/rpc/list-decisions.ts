import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';

export const listDecisions =
  (context: Context): UnaryHandler<typeof DecisionsService.method.listDecisions> =>
  async (request, { caller }) => {
    const { shown: decisions, nextCursor } = await course.list(context, request, caller);
    return { decisions, nextCursor };
  };
