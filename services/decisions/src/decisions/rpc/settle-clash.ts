import { forbidden } from '@hearth/errors';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import { speakingFor, tapping } from '../../shared/actions/speaking.ts';
import { findVisible } from '../actions/find-visible.ts';
import { onCopy } from '../actions/show-copies.ts';
import { showDecision } from '../actions/show-decisions.ts';
import type { Context } from '../context.ts';
import { decisionPath } from '../domain/link.ts';
import { questionOf, readOne } from '../domain/read-answers.ts';

/** Picks a side of a clash for the caller and the children whom they guard. */
export const settleClash =
  (context: Context): UnaryHandler<typeof DecisionsService.method.settleClash> =>
  async (request, { caller }) => {
    const { id, questionId, answer } = request;
    const { acts, config, decisions } = context;
    const copy = await findElsewhere(context.copies, id, caller);
    if (copy !== null)
      return await onCopy(context, copy, DecisionsService.method.settleClash, request, caller);
    const found = await findVisible(context, id, caller);
    const { row } = found;
    const question = questionOf(row.questions, questionId, 'question_id');
    const option = readOne(question, answer, row.time_zone, 'answer');
    const sides = row.clash?.sides.flatMap(({ people }) => people) ?? [];
    const theirs = await speakingFor(context, found.people, caller);
    const link = `${config.siteUrl}${decisionPath(row.number)}`;
    const people = tapping(theirs, caller, { childTaps: config.childTaps, link }).map(({ person }) => person);
    if (row.status === 'clash' && !people.some((person) => sides.includes(person)))
      throw forbidden('you are on no side of this clash');
    const state = await decisions.actOn(found, () => ({
      act: { kind: 'pick', people, question: questionId, option },
      by: caller,
      said: acts.said(caller),
    }));
    return await showDecision(context, state, caller);
  };
