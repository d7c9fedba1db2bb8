import type { WholePlan } from '../db/plans.ts';
import { dueAt } from './machine.ts';
import type { Plan } from './plan.ts';

/** A plan with its people, as its rules take it. */
export function courseOf({ row, people }: WholePlan): Plan {
  return { ...row, people };
}

/** The rows of a plan after its course changed. @param record uuid for the record of a settled one */
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
