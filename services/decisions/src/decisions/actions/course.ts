import { create } from '@bufbuild/protobuf';
import { type Decision, DecisionOutcomeSchema } from '@hearth/proto/decisions/v1/decisions';
import { type CourseKind, createCourse } from '../../shared/actions/course.ts';
import { knowNow } from '../../shared/actions/know-people.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import { type DecisionRow, decisionTable } from '../db/decisions.ts';
import { newParticipant, type Participant } from '../domain/decision.ts';
import { statuses } from '../domain/enum-names.ts';
import { decisionPath } from '../domain/link.ts';
import { readNumber } from '../domain/number.ts';
import { seatsOf } from '../domain/seats.ts';
import { advance } from './advance.ts';
import type { Change } from './create-decisions.ts';
import { shownTo } from './show-to.ts';

export const kind: CourseKind<Context, DecisionRow, Participant, Decision> = {
  name: 'decision',
  table: decisionTable,
  seatsOf,
  statuses,
  idOf: ({ number }) => number,
  readId: readNumber,
  pathOf: decisionPath,
  know: (context, ...looked) => knowNow({ ...context, newcomer: newParticipant }, ...looked),
  advance,
  show: shownTo,
  outcomeOf(link) {
    if (link === undefined) return {};
    const { item_ref: itemRef, list_ref: listRef } = link;
    return { outcome: create(DecisionOutcomeSchema, { itemRef, listRef: listRef ?? undefined }) };
  },
  async ownWords({ copies }, copy, caller) {
    if (copy.message.answers.length > 0) return {};
    const own = await copies.lastAnswer(copy, 'answer_decision', viewerIdOf(caller));
    return own === null ? {} : { answers: own.answers };
  },
};

/** Handles requests about decisions. */
export const course = createCourse<DecisionRow, Participant, Change, Decision, Context>(kind);
