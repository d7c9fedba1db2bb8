import type { Tx } from '@hearth/db';
import type { Settlement } from '../domain/apply-change.ts';
import { closeAllItems } from './items.ts';
import type { GivenAnswer } from './recipients.ts';

/** False when it does not wait any more; nothing is written then. */
export async function settleApproval(tx: Tx, id: string, settlement: Settlement): Promise<boolean> {
  const { status, why, settled_at, settled_by, record } = settlement;
  const written = await tx.execute({
    name: 'approvals_settle',
    text: `
      with settled as (
        update approvals.approvals set status = $2, why = $3, settled_at = $4, settled_by = $5, record = $6
        where id = $1 and status = 'waiting' returning id),
      closed as (${closeAllItems('settled')})
      update approvals.recipients r set status = $2
      from settled where r.approval = settled.id`,
    values: [id, status, why, settled_at, settled_by, record],
  });
  return written > 0;
}

/** An answer with which an approval settles. */
export interface SettlingAnswer {
  /** uuid of the approval. */
  id: string;
  settlement: Settlement;
  position: number;
  given: GivenAnswer;
}

/**
 * Writes answers and settles their approvals in one statement. The uuids of the approvals that waited until then; for the
 * others nothing is written.
 *
 * @param answers at most one for each approval
 */
export async function settleByAnswers(tx: Tx, answers: readonly SettlingAnswer[]): Promise<Set<string>> {
  const theirs = (column: string) =>
    `${column} = case when r.position = i.position then i.${column} else r.${column} end`;
  const rows = await tx.query<{ id: string }>({
    name: 'approvals_settle_by_answers',
    text: `
      with input as (
        select * from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::uuid[], $6::uuid[],
          $7::smallint[], $8::text[], $9::text[], $10::text[], $11::timestamptz[], $12::uuid[], $13::text[],
          $14::text[], $15::text[])
          as i (id, status, why, settled_at, settled_by, record, position, decision, answer, note, answered_at,
            answered_by, answered_as, via, proof)),
      settled as (
        update approvals.approvals a set status = i.status, why = i.why, settled_at = i.settled_at,
          settled_by = i.settled_by, record = i.record
        from input i where a.id = i.id and a.status = 'waiting' returning a.id),
      closed as (${closeAllItems('settled')}),
      answered as (
        update approvals.recipients r set status = i.status, ${theirs('decision')},
          ${theirs('answer')}, ${theirs('note')}, ${theirs('answered_at')}, ${theirs('answered_by')},
          ${theirs('answered_as')}, ${theirs('via')}, ${theirs('proof')}
        from input i join settled s on s.id = i.id where r.approval = i.id)
      select id from settled`,
    values: [
      answers.map(({ id }) => id),
      answers.map(({ settlement }) => settlement.status),
      answers.map(({ settlement }) => settlement.why),
      answers.map(({ settlement }) => settlement.settled_at),
      answers.map(({ settlement }) => settlement.settled_by),
      answers.map(({ settlement }) => settlement.record),
      answers.map(({ position }) => position),
      answers.map(({ given }) => given.decision),
      answers.map(({ given }) => given.answer),
      answers.map(({ given }) => given.note),
      answers.map(({ given }) => given.at),
      answers.map(({ given }) => given.by),
      answers.map(({ given }) => given.as),
      answers.map(({ given }) => given.via),
      answers.map(({ given }) => given.proof),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}
