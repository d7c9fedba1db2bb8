import type { Change } from '../actions/change-approval.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { Settlement } from '../db/settle.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';

/** The rows as they are once a change is written, so that nobody reads them again for it. */
export function applied(
  { approval, recipients }: WholeApproval,
  change: Change,
  settlement: Settlement | null,
): WholeApproval {
  const answered = recipients.map((one) => applyTo(one, change));
  if (settlement === null) return { approval, recipients: answered };
  const { status, why, at, by, record } = settlement;
  return {
    approval: { ...approval, status, why, settled_at: at, settled_by: by, record },
    recipients: answered.map((one) => ({ ...one, status, mail_next_at: null })),
  };
}

function applyTo(one: RecipientRow, { act, answer }: Change): RecipientRow {
  switch (act.kind) {
    case 'answer':
    case 'settle': {
      if (one.position !== act.position || answer === undefined) return one;
      const { decision, at, by, as, ...words } = answer;
      const given = { answered_at: at, answered_by: by, answered_as: as, mail_next_at: null };
      return { ...one, ...words, ...given, decision };
    }
    case 'drop':
      return act.positions.includes(one.position) && one.decision === 'waiting'
        ? { ...one, decision: 'declined', why: act.why, mail_next_at: null }
        : one;
    default:
      return one;
  }
}
