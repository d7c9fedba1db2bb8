import type { DecisionRow, WholeDecision } from '../db/decisions.ts';
import { closingAt } from './closing.ts';
import type { Decision } from './decision.ts';
import { dueAt } from './machine.ts';

/** The course of a decision as its rows have it. */
export function courseOf({ row, people }: WholeDecision): Decision {
  return {
    status: row.status,
    why: row.why,
    needs: row.needs,
    questions: row.questions,
    people,
    groupAi: row.group_ai,
    deadline: row.deadline_at.getTime(),
    proposal: row.proposal,
    clash: row.clash,
    settledAt: row.settled_at?.getTime() ?? null,
  };
}

/** The rows of a decision after its course changed. @param record uuid for the record of an agreed one */
export function withCourse({ row }: WholeDecision, course: Decision, record: string): WholeDecision {
  const { status, why, people, deadline, proposal, clash, settledAt } = course;
  const after: DecisionRow = {
    ...row,
    status,
    why,
    proposal,
    clash,
    deadline_at: new Date(deadline),
    settled_at: settledAt === null ? null : new Date(settledAt),
    record: status === 'agreed' ? (row.record ?? record) : null,
    revision: row.revision + 1,
  };
  return { row: { ...after, due_at: nextDue(after, course) }, people };
}

/** When a job looks at it next: when time changes it, or before, when those who are still to answer are told. */
export function nextDue(row: Pick<DecisionRow, 'opened_at' | 'closing_told'>, course: Decision): Date | null {
  const due = dueAt(course);
  if (due === null) return null;
  const closing = course.status === 'open' && !row.closing_told ? closingAt(row.opened_at, due) : due;
  return new Date(Math.min(due, closing));
}
