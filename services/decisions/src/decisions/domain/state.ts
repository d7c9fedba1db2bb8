import type { DecisionRow, WholeDecision } from '../db/decisions.ts';
import type { Decision } from './decision.ts';
import { dueAt } from './machine.ts';

/** A decision with its people, as its rules take it. */
export function courseOf({ row, people }: WholeDecision): Decision {
  return { ...row, people };
}

/** The rows of a decision after its course changed. @param record uuid for the record of an agreed one */
export function withCourse(
  { row }: WholeDecision,
  { people, ...course }: Decision,
  record: string,
): WholeDecision {
  const kept = course.status === 'agreed' ? (row.record ?? record) : null;
  return { row: { ...row, ...course, record: kept, revision: row.revision + 1 }, people };
}

/** When a job looks at it next: when time changes it, or before, when those who are still to answer are told. */
export function nextDue(row: Pick<DecisionRow, 'opened_at' | 'closing_told'>, course: Decision): Date | null {
  const due = dueAt(course);
  if (due === null) return null;
  const closing = course.status === 'open' && !row.closing_told ? closingAt(row.opened_at, due) : due;
  return new Date(Math.min(due, closing));
}

/** With a quarter of the time left. */
const closingAt = (opened: Date, deadline: number) => deadline - (deadline - opened.getTime()) / 4;
