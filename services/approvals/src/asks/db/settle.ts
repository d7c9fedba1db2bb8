import { named, raw, type Tx } from '@hearth/db';
import type { Settlement } from '../domain/apply-change.ts';
import { closeAllItems } from './items.ts';
import type { GivenAnswer } from './recipients.ts';

/** The outcome of an approval. */
export interface Settling {
  /** uuid of the approval. */
  id: string;
  settlement: Settlement;
  /** The place whose answer settles the approval, and that answer; null if it settles without an answer. */
  position: number | null;
  given: GivenAnswer | null;
}

/**
 * Settles approvals, with their answers, in one statement. Returns the uuids of the approvals that were still
 * waiting; the others stay unchanged.
 *
 * @param settling at most one per approval
 */
export async function settleApprovals(tx: Tx, settling: readonly Settling[]): Promise<Set<string>> {
  const theirs = (column: string, given = column) =>
    raw(`${column} = case when r.position = i.position then i.${given} else r.${column} end`);
  const inputs = settling.map(({ id, settlement, position, given }) => {
    const { status, why, settled_at, settled_by, record } = settlement;
    return { id, status, why, settled_at, settled_by, record, position, ...given };
  });
  const rows = await tx.query<{ id: string }>(named('approvals_settle')`
    with input as (
      select * from json_to_recordset(${JSON.stringify(inputs)}::json)
        as i (id uuid, status text, why text, settled_at timestamptz,
        settled_by uuid, record uuid, position smallint, decision text, answer text, note text, at timestamptz, by uuid,
        "as" text, via text, proof text, item text)),
    settled as (
      update approvals.approvals a set status = i.status, why = i.why, settled_at = i.settled_at,
        settled_by = i.settled_by, record = i.record
      from input i where a.id = i.id and a.status = 'waiting' returning a.id),
    closed as (${closeAllItems('settled')}),
    answered as (
      update approvals.recipients r set status = i.status, ${theirs('decision')}, ${theirs('answer')},
        ${theirs('note')}, ${theirs('answered_at', 'at')}, ${theirs('answered_by', 'by')},
        ${theirs('answered_as', 'as')}, ${theirs('via')}, ${theirs('proof')}, ${theirs('item')}
      from input i join settled s on s.id = i.id where r.approval = i.id)
    select id from settled`);
  return new Set(rows.map(({ id }) => id));
}
