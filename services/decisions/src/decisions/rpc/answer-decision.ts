import { badField } from '@hearth/errors';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { speakingFor } from '../../shared/actions/speaking.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import type { GivenAnswer } from '../domain/decision.ts';
import { questionOf, readAnswer } from '../domain/read-answers.ts';

const { answerDecision: method } = DecisionsService.method;

/** Answers for the caller's person and the children they guard. */
export const answerDecision =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, { caller }) =>
    await course.speak(context, { method, request, caller }, async ({ row, people }) => {
      const answers = request.answers.map(
        ({ questionId, answer, firm = false, note = '' }, index): GivenAnswer => {
          const question = questionOf(row.questions, questionId, `answers[${index}]`);
          if (request.answers.findIndex((one) => one.questionId === questionId) < index)
            throw badField(`answers[${index}].question_id`, 'is answered twice');
          return {
            question: questionId,
            answer: readAnswer(question, answer, row.time_zone, `answers[${index}].answer`),
            firm,
            note,
            by: caller.id,
            as: caller.kind === callerKinds.AI ? 'ai' : 'person',
            assumed: false,
            at: context.clock.now(),
          };
        },
      );
      const asked = people.filter((person) => person.asked);
      const theirs = await speakingFor(context, asked, caller, request.for);
      return { act: { kind: 'answer', people: theirs.map(({ person }) => person), answers } };
    });
