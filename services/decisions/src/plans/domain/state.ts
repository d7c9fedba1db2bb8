import type { WholePlan } from '../db/plans.ts';
import { dueAt } from './machine.ts';
import type { Plan } from './plan.ts';

/** The course of a plan as its rows have it. */
export function courseOf({ row, people }: WholePlan): Plan {
  return {
    status: row.status,
    why: row.why,
    reason: row.reason,
    options: row.options,
    people,
    deadline: row.deadline_at.getTime(),
    clashAt: row.clash_at?.getTime() ?? null,
    settleAsked: row.settle_asked,
    settledOption: row.settled_option,
    settledAt: row.settled_at?.getTime() ?? null,
  };
}

/** The rows of a plan after its course changed. @param record uuid for the record of a settled one */
export function withCourse({ row }: WholePlan, course: Plan, record: string): WholePlan {
  const { status, why, reason, options, people, deadline, clashAt, settleAsked, settledOption, settledAt } =
    course;
  return {
    row: {
      ...row,
      status,
      why,
      reason,
      options,
      deadline_at: new Date(deadline),
      clash_at: dateOf(clashAt),
      settle_asked: settleAsked,
      settled_option: settledOption,
      settled_at: dateOf(settledAt),
      due_at: dateOf(dueAt(course)),
      record: status === 'settled' ? (row.record ?? record) : null,
      revision: row.revision + 1,
    },
    people,
  };
}

const dateOf = (at: number | null) => (at === null ? null : new Date(at));
