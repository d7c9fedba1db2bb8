import { internal } from '@hearth/errors';
import type { ApprovalRow } from '../db/approvals.ts';
import type { GivenAnswer, RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { type Act, next } from './machine.ts';
import { withVoices } from './voices.ts';

/** An act on an approval, with the answer where it is one. */
export interface Change {
  act: Act;
  answer?: GivenAnswer;
  /** uuid of the person or AI that acts; null for an answer by mail, and where it happens by itself. */
  by: string | null;
}

/** The columns that an approval gets when it settles. */
export type Settlement = Pick<ApprovalRow, 'status' | 'why' | 'settled_at' | 'settled_by' | 'record'>;

/**
 * The rows as the change leaves them, so that they need not be read again; the same object where nothing changes.
 *
 * @param settling the time, and the uuid of the record, of an approval that settles by it
 * @throws bad_request (already_settled)
 */
export function applyChange(
  before: WholeApproval,
  change: Change,
  settling: { at: Date; record: string },
): WholeApproval {
  const { act, answer, by } = change;
  if (act.kind === 'answer' && answer === undefined) throw internal('an answer without its words');
  const { approval, recipients } = before;
  const { needs, why: reason } = approval;
  const asked = withVoices(approval, recipients);
  const course = { status: approval.status, needs, why: reason, asked };
  const after = next(course, act);
  if (after === course) return before;
  const answered = recipients.map((one) => applyTo(one, change));
  const { status, why } = after;
  if (status === 'waiting') return { approval, recipients: answered };
  return {
    approval: {
      ...approval,
      status,
      why,
      settled_at: settling.at,
      settled_by: by,
      record: settling.record,
    },
    recipients: answered.map((one) => ({ ...one, status })),
  };
}

function applyTo(one: RecipientRow, { act, answer }: Change): RecipientRow {
  switch (act.kind) {
    case 'answer':
    case 'settle': {
      if (one.position !== act.position || answer === undefined) return one;
      const { at, by, as, item = null, ...given } = answer;
      return { ...one, ...given, item, answered_at: at, answered_by: by, answered_as: as };
    }
    case 'drop':
      return act.positions.includes(one.position) && one.decision === 'waiting'
        ? { ...one, decision: 'declined', why: act.why }
        : one;
    default:
      return one;
  }
}
