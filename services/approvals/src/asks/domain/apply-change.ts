import { internal } from '@hearth/errors';
import type { ApprovalRow } from '../db/approvals.ts';
import type { GivenAnswer, RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { type Act, next } from './machine.ts';
import { withVoices } from './voices.ts';

/** An act on an approval, with its answer if the act is an answer. */
export interface Change {
  act: Act;
  answer?: GivenAnswer;
  /** uuid of the acting person or AI; null for an answer by mail, and for automatic changes. */
  by: string | null;
}

/** The columns that are set when an approval settles. */
export type Settlement = Pick<ApprovalRow, 'status' | 'why' | 'settled_at' | 'settled_by' | 'record'>;

/**
 * Returns the rows after the change, without reading them again; the same object if nothing changes.
 *
 * @param settling time and record uuid, used if the change settles the approval
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
  const answered = recipients.map((recipient) => applyTo(recipient, change));
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
    recipients: answered.map((recipient) => ({ ...recipient, status })),
  };
}

function applyTo(recipient: RecipientRow, { act, answer }: Change): RecipientRow {
  switch (act.kind) {
    case 'answer':
    case 'settle': {
      if (recipient.position !== act.position || answer === undefined) return recipient;
      const { at, by, as, item = null, ...given } = answer;
      return { ...recipient, ...given, item, answered_at: at, answered_by: by, answered_as: as };
    }
    case 'drop':
      return act.positions.includes(recipient.position) && recipient.decision === 'waiting'
        ? { ...recipient, decision: 'declined', why: act.why }
        : recipient;
    default:
      return recipient;
  }
}
