import { placeCursor, readPage } from '@hearth/paging';
import type { FeedbackService } from '@hearth/proto/identity/v1/feedback';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listFeedback as listRows } from '../db/feedback.ts';
import { kinds, statuses, toOperator } from '../domain/to-feedback.ts';

/** All feedback, for the operator. */
export const listFeedback =
  (context: Context): UnaryHandler<typeof FeedbackService.method.listFeedback> =>
  async (request) => {
    const wanted = {
      status: request.status ? statuses.nameOf(request.status) : null,
      kind: request.kind ? kinds.nameOf(request.kind) : null,
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      find: (before, limit) => listRows(context.database.db, wanted, before, limit),
      placeOf: ({ at, id }) => ({ at, id }),
    });
    return { feedback: rows.map(toOperator), nextCursor };
  };
