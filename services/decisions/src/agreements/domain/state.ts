import type { AgreementRow } from '../db/agreements.ts';
import { type Agreement, errandsOf } from './agreement.ts';
import { dueAt } from './machine.ts';

/** The course of an agreement as its row has it. */
export function courseOf(row: AgreementRow): Agreement {
  return {
    needsOwners: row.needs_owners,
    status: row.status,
    why: row.why,
    reason: row.reason ?? '',
    termsDigest: row.terms_digest,
    signBy: row.sign_by.getTime(),
    sides: row.sides,
    readyAt: row.ready_at?.getTime() ?? null,
    settledAt: row.settled_at?.getTime() ?? null,
  };
}

/** The row of an agreement after its course changed. @param record uuid for the record that it may need now */
export function withCourse(row: AgreementRow, course: Agreement, record: string): AgreementRow {
  const { status, why, reason, sides, readyAt, settledAt } = course;
  const isReady = status === 'ready' || status === 'settled';
  return {
    ...row,
    status,
    why,
    reason: reason === '' ? null : reason,
    sides,
    ready_at: dateOf(readyAt),
    settled_at: dateOf(settledAt),
    due_at: dateOf(dueAt(course)),
    errands: errandsOf(course).length > 0,
    record: isReady ? (row.record ?? record) : null,
    settlement: status === 'settled' ? (row.settlement ?? record) : null,
    revision: row.revision + 1,
  };
}

const dateOf = (at: number | null) => (at === null ? null : new Date(at));
