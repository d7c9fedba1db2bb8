import { nowDate } from '@hearth/clock';
import { badField } from '@hearth/errors';
import { requestIdUsed } from '@hearth/idempotency';
import { callerKindOf } from '@hearth/limits';
import { FeedbackService } from '@hearth/proto/identity/v1/feedback';
import { personOf, type UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { type FeedbackRow, findOwnFeedback, insertFeedback } from '../db/feedback.ts';
import { kinds, senderOf, toFeedback } from '../domain/to-feedback.ts';

/** Stores feedback for the operator. */
export const sendFeedback =
  (context: Context): UnaryHandler<typeof FeedbackService.method.sendFeedback> =>
  async (request, call) => {
    const { clock, database, idempotency, ids, limiter } = context;
    const { caller } = call;
    const kind = kinds.nameOf(request.kind);
    if (kind === '') throw badField('kind', 'must be bug, idea, docs, abuse or other');
    return await idempotency.once(call, FeedbackService.method.sendFeedback, request, {
      async make(claim) {
        await limiter.consume('feedback_a_day', caller.id, callerKindOf(caller) ?? 'claimed');
        const row: FeedbackRow = {
          id: ids.uuid(),
          kind,
          title: request.title,
          text: request.text ?? '',
          about: request.about ?? '',
          status: 'received',
          answer: '',
          ...senderOf(caller),
          person: personOf(caller),
          at: nowDate(clock),
          answeredAt: null,
        };
        await database.transaction(async (tx) => {
          await claim(tx, { feedback: row.id });
          await insertFeedback(tx, row);
        });
        return toFeedback(row);
      },
      async repeat({ feedback }) {
        const row = await findOwnFeedback(database.db, feedback, senderOf(caller));
        if (row !== null) return toFeedback(row);
        throw requestIdUsed('the feedback that it made is gone; use another request_id');
      },
    });
  };
