import { badField, badRequest } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import { type AnswerFeedbackRequest, FeedbackStatus } from '@hearth/proto/identity/v1/feedback';
import type { Caller } from '@hearth/rpc';
import type { FeedbackRow } from '../db/feedback.ts';

export interface Answer {
  status: 'read' | 'done';
  answer: string;
}

/** @throws bad_field for any status but `read` and `done`, and for `done` without an answer */
export function readAnswer({
  status = FeedbackStatus.DONE,
  answer = '',
}: Pick<AnswerFeedbackRequest, 'status' | 'answer'>): Answer {
  if (status === FeedbackStatus.RECEIVED) throw badField('status', 'must be read or done');
  const done = status !== FeedbackStatus.READ;
  if (done && answer === '') throw badField('answer', 'is needed for done: the sender reads it');
  return { status: done ? 'done' : 'read', answer };
}

/**
 * The feedback after the answer; the same row if nothing changes.
 *
 * @throws bad_request if it was done before
 */
export function answered(row: FeedbackRow, { status, answer }: Answer, now: Date): FeedbackRow {
  if (row.status === 'done') {
    throw badRequest(`this feedback is done already, with the answer: ${row.answer}`, {
      code: 'already_settled',
    });
  }
  if (status === row.status && (answer === '' || answer === row.answer)) return row;
  return { ...row, status, answer: answer || row.answer, answeredAt: now };
}

export function feedbackAnswered(row: FeedbackRow, by: Caller): Announcement {
  const { id, status, answer, byId, person } = row;
  const value = { feedback: printId('fbk', id), status, answer, sender: byId, person: person ?? '' };
  return { data: { case: 'feedbackAnswered', value }, by };
}
