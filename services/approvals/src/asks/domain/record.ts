import { printId } from '@hearth/ids';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';

/** Stands in place of an address that would identify a child. */
export const underAge = 'under-18';

/**
 * The record of completion: names and addresses as they were when it happened, without its signature and without fields that
 * were not given.
 *
 * @param home its name
 */
export function recordBody(
  home: string,
  { approval: row, recipients }: WholeApproval,
  issuedAt: Date,
): Record<string, unknown> {
  const id = printId('apr', row.id);
  return {
    v: 1,
    type: 'approval.answer',
    id: printId('rec', row.record as string),
    home,
    issued_at: issuedAt.toISOString(),
    subject: { kind: 'approval', id },
    ask: {
      id,
      title: row.title,
      kind: row.kind,
      request_kind: row.request_kind,
      choices: row.choices,
      free_text: row.free_text,
      needs: row.needs,
      ...(row.group !== null && { group: groupOf(row) }),
      about_child: row.about !== null,
      requested_by: row.asker_minor ? underAge : row.asker_address,
      requested_name_verified: row.asker_verified,
      requested_at: row.asked_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      digest: row.digest,
    },
    answers: recipients.flatMap((one) => answerOf(one) ?? []),
    status: row.status,
    settled_at: (row.settled_at as Date).toISOString(),
  };
}

/** The group of an ask, as callers read it. */
export function groupOf({ group, group_name, group_handle }: ApprovalRow) {
  return { id: printId('grp', group as string), name: group_name ?? '', address: `&${group_handle ?? ''}` };
}

function answerOf(row: RecipientRow) {
  const { name, decision, answer, note, answered_at, answered_as, via, proof } = row;
  if (answered_at === null) return null;
  return {
    to: row.minor ? underAge : row.address,
    name,
    decision,
    ...(answer !== null && { answer }),
    ...(note !== null && { note }),
    at: answered_at.toISOString(),
    by: answered_as ?? 'person',
    via: via ?? 'web',
    proof: proof ?? 'tap',
  };
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The first `length` characters of [0-9A-Za-z] that these bytes make; 32 bytes are enough for 22. */
export function base62Of(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text += base62[Number(rest % 62n)];
    rest /= 62n;
  }
  return text;
}
