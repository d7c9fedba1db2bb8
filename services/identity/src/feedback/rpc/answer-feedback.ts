import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { FeedbackService } from '@hearth/proto/identity/v1/feedback';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { lockFeedback, updateAnswer } from '../db/feedback.ts';
import { answered, feedbackAnswered, readAnswer } from '../domain/answer.ts';
import { toOperator } from '../domain/to-feedback.ts';

/** Marks feedback as read or done, with the operator's answer. */
export const answerFeedback =
  ({ clock, commit }: Context): UnaryHandler<typeof FeedbackService.method.answerFeedback> =>
  async (request, { caller }) => {
    const id = parseId('fbk', request.id);
    if (id === null) throw notFound();
    const answer = readAnswer(request);
    return await commit(async (tx) => {
      const row = await lockFeedback(tx, id);
      if (row === null) throw notFound();
      const changed = answered(row, answer, nowDate(clock));
      if (changed !== row) {
        await updateAnswer(tx, changed);
        tx.announce(feedbackAnswered(changed, caller));
      }
      return toOperator(changed);
    });
  };
