import { forbidden } from '@hearth/errors';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { speakingFor } from '../../shared/actions/speaking.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import { questionOf, readOne } from '../domain/read-answers.ts';

const { settleClash: method } = DecisionsService.method;

/** Picks a side of a clash for the caller and the children they guard. */
export const settleClash =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, { caller }) =>
    await course.speak(context, { method, request, caller }, async (found) => {
      const { row } = found;
      const { questionId, answer } = request;
      const question = questionOf(row.questions, questionId, 'question_id');
      const option = readOne(question, answer, row.time_zone, 'answer');
      const sides = row.clash?.sides.flatMap(({ people }) => people) ?? [];
      const theirs = await speakingFor(context, found.people, caller);
      const people = course.tapping(context, theirs, caller, row.number);
      if (row.status === 'clash' && !people.some((person) => sides.includes(person)))
        throw forbidden('you are on no side of this clash');
      return { act: { kind: 'pick', people, question: questionId, option } };
    });
