import { badField } from '@hearth/errors';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import { speakingFor } from '../../shared/actions/speaking.ts';
import { findVisible } from '../actions/find-visible.ts';
import { onCopy } from '../actions/show-copies.ts';
import { showDecision } from '../actions/show-decisions.ts';
import type { Context } from '../context.ts';
import type { GivenAnswer } from '../domain/decision.ts';
import { questionOf, readAnswer } from '../domain/read-answers.ts';

/** Answers for the caller's person and the children whom they guard. */
export const answerDecision =
  (context: Context): UnaryHandler<typeof DecisionsService.method.answerDecision> =>
  async (request, { caller }) => {
    const { acts, clock, decisions } = context;
    const copy = await findElsewhere(context.copies, request.id, caller);
    if (copy !== null)
      return await onCopy(context, copy, DecisionsService.method.answerDecision, request, caller);
    const found = await findVisible(context, request.id, caller);
    const { questions, time_zone } = found.row;
    const given = request.answers.map(
      ({ questionId, answer, firm = false, note = '' }, index): GivenAnswer => {
        const question = questionOf(questions, questionId, `answers[${index}]`);
        if (request.answers.findIndex((one) => one.questionId === questionId) < index)
          throw badField(`answers[${index}].question_id`, 'is answered twice');
        return {
          question: questionId,
          answer: readAnswer(question, answer, time_zone, `answers[${index}].answer`),
          firm,
          note,
          by: caller.id,
          as: caller.kind === callerKinds.AI ? 'ai' : 'person',
          assumed: false,
          at: clock.now(),
        };
      },
    );
    const asked = found.people.filter((one) => one.asked);
    const theirs = await speakingFor(context, asked, caller, request.for);
    const people = theirs.map(({ person }) => person);
    const state = await decisions.actOn(found, () => ({
      act: { kind: 'answer', people, answers: given },
      by: caller,
      said: acts.said(caller),
    }));
    return await showDecision(context, await context.signing.now(state, caller), caller);
  };
