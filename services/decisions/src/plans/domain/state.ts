import type { WholePlan } from '../db/plans.ts';
import { dueAt } from './machine.ts';
import type { Plan } from './plan.ts';

/** The plan as the state machine takes it. */
export function courseOf({ row, people }: WholePlan): Plan {
  return { ...row, people };
}

/** The rows after a change of course. @param record uuid for the record of a settled plan */
export function withCourse({ row }: WholePlan, after: Plan, record: string): WholePlan {
  const { people, ...course } = after;
  const due = dueAt(after);
  return {
    row: {
      ...row,
      ...course,
      due_at: due === null ? null : new Date(due),
      record: course.status === 'settled' ? (row.record ?? record) : null,
      revision: row.revision + 1,
    },
    people,
  };
}
