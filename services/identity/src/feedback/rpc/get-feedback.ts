import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { FeedbackService } from '@hearth/proto/identity/v1/feedback';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findOwnFeedback } from '../db/feedback.ts';
import { senderOf, toFeedback } from '../domain/to-feedback.ts';

/** Returns the caller's own feedback; anyone else's is not found. */
export const getFeedback =
  ({ database }: Context): UnaryHandler<typeof FeedbackService.method.getFeedback> =>
  async (request, { caller }) => {
    const id = parseId('fbk', request.id);
    const row = id === null ? null : await findOwnFeedback(database.db, id, senderOf(caller));
    if (row === null) throw notFound();
    return toFeedback(row);
  };
