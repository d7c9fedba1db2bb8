import { internal } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { underAge } from '@hearth/people';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';

/**
 * The members of the signed record: names and addresses as they were when it settled; absent fields are
 * omitted.
 */
export function recordBody({ approval: row, recipients }: WholeApproval): Record<string, unknown> {
  return {
    ask: {
      id: printId('apr', row.id),
      title: row.title,
      kind: row.kind,
      request_kind: row.request_kind,
      choices: row.choices,
      free_text: row.free_text,
      needs: row.needs,
      ...groupOf(row),
      about_child: row.about !== null,
      requested_by: row.asker_minor ? underAge : row.asker_address,
      requested_name_verified: row.asker_verified,
      requested_at: row.asked_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      digest: row.digest,
    },
    answers: recipients.flatMap((recipient) => answerOf(recipient) ?? []),
    status: row.status,
    // A block is shown as a rule, so that the blocked party does not learn of it.
    ...(row.why !== null && { why: row.why === 'blocked' ? 'by_rule' : row.why }),
    settled_at: (row.settled_at as Date).toISOString(),
  };
}

/** The group of an ask in API form; empty if it has none. */
export function groupOf({ group, group_reference, group_name, group_handle }: ApprovalRow) {
  const id = group === null ? group_reference : printId('grp', group);
  return id === null ? {} : { group: { id, name: group_name ?? '', address: `&${group_handle ?? ''}` } };
}

function answerOf(row: RecipientRow) {
  const { name, decision, answer, note, answered_at, answered_as, via, proof, home, item } = row;
  if (answered_at === null) return null;
  if (answered_as === null || via === null || proof === null)
    throw internal('nothing says how an answer was given, so it is signed in no record');
  return {
    to: row.minor ? underAge : row.address,
    name,
    decision,
    ...(answer !== null && { answer }),
    ...(note !== null && { note }),
    at: answered_at.toISOString(),
    by: answered_as,
    via,
    proof,
    // An answer from another home carries the signed act, by which a reader can verify it.
    ...(home !== null && item !== null && { home, item: JSON.parse(item) as unknown }),
  };
}
