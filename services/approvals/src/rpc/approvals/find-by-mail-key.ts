import { create } from '@bufbuild/protobuf';
import { parseId } from '@hearth/ids';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../../context.ts';
import { type ApprovalRow, findApproval } from '../../db/approvals.ts';
import { findByMailKey as findRecipient } from '../../db/mails.ts';
import type { RecipientRow } from '../../db/recipients.ts';
import type { ApprovalsHandlers } from './index.ts';
import { showApproval } from './show-approvals.ts';

/** What the page of an e-mail's link shows. */
export const findByMailKey =
  (context: Context): ApprovalsHandlers['findByMailKey'] =>
  async ({ approval, keyHash }) => {
    const found = await findMailed(context, approval, keyHash);
    return found === null ? {} : await showMailed(context, found);
  };

export interface Mailed {
  approval: ApprovalRow;
  recipient: RecipientRow;
}

const hashBytes = 32;

/** Whom a link was sent to, and the ask; null for a key that is of none. */
export async function findMailed(
  { database }: Pick<Context, 'database'>,
  printed: string,
  keyHash: Uint8Array,
): Promise<Mailed | null> {
  const id = parseId('apr', printed);
  if (id === null || keyHash.length !== hashBytes) return null;
  const recipient = await findRecipient(database.db, id, Buffer.from(keyHash));
  const approval = recipient === null ? null : await findApproval(database.db, id);
  return approval === null || recipient === null ? null : { approval, recipient };
}

/** As somebody sees it of whom nothing is known but that they have the link. */
export async function showMailed(context: Context, { approval, recipient }: Mailed) {
  return { approval: await showApproval(context, approval, bearer(approval)), email: recipient.address };
}

/** Somebody under 18 has another id for each ask that goes out by mail. */
function bearer({ id }: ApprovalRow): Caller {
  return create(CallerSchema, { kind: CallerKind.ANYONE, id });
}
