import type { DecisionRow, WholeDecision } from '../db/decisions.ts';
import type { Decision } from './decision.ts';
import { dueAt } from './machine.ts';

/** The decision as the state machine takes it. */
export function courseOf({ row, people }: WholeDecision): Decision {
  return { ...row, people };
}

/** The rows after a change of course. @param record uuid for the record of an agreed decision */
export function withCourse(
  { row }: WholeDecision,
  { people, ...course }: Decision,
  record: string,
): WholeDecision {
  const kept = course.status === 'agreed' ? (row.record ?? record) : null;
  return { row: { ...row, ...course, record: kept, revision: row.revision + 1 }, people };
}

/**
 * When a job must look at the decision next: at its next timed change, or earlier to notify people who still
 * have to answer.
 */
export function nextDue(row: Pick<DecisionRow, 'opened_at' | 'closing_told'>, course: Decision): Date | null {
  const due = dueAt(course);
  if (due === null) return null;
  const closing = course.status === 'open' && !row.closing_told ? closingAt(row.opened_at, due) : due;
  return new Date(Math.min(due, closing));
}

/** When a quarter of the time is left. */
const closingAt = (opened: Date, deadline: number) => deadline - (deadline - opened.getTime()) / 4;
