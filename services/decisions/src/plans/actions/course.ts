import { create } from '@bufbuild/protobuf';
import { parseId, printId } from '@hearth/ids';
import { type Plan, PlanOutcomeSchema } from '@hearth/proto/decisions/v1/plans';
import { type CourseKind, createCourse } from '../../shared/actions/course.ts';
import { knowNow } from '../../shared/actions/know-people.ts';
import type { Context } from '../context.ts';
import { type PlanRow, planTable } from '../db/plans.ts';
import { statuses } from '../domain/enum-names.ts';
import { planPath } from '../domain/link.ts';
import { newPlanner, type Planner } from '../domain/plan.ts';
import { seatsOf } from '../domain/seats.ts';
import { advance } from './advance.ts';
import type { Change } from './create-plans.ts';
import { shownTo } from './show-to.ts';

export const kind: CourseKind<Context, PlanRow, Planner, Plan> = {
  name: 'plan',
  table: planTable,
  seatsOf,
  statuses,
  idOf: ({ id }) => printId('pln', id),
  readId: (text) => parseId('pln', text),
  pathOf: planPath,
  know: (context, ...looked) => knowNow({ ...context, newcomer: newPlanner }, ...looked),
  advance,
  show: shownTo,
  outcomeOf: (link) =>
    link === undefined ? {} : { outcome: create(PlanOutcomeSchema, { itemRef: link.item_ref }) },
};

/** Handles requests about plans. */
export const course = createCourse<PlanRow, Planner, Change, Plan, Context>(kind);
