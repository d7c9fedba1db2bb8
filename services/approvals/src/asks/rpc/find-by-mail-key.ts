import { create } from '@bufbuild/protobuf';
import { parseId } from '@hearth/ids';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import { showApproval } from '../actions/show-approvals.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import type { ApprovalsHandlers } from './index.ts';

/** What the page of an e-mail's link shows. */
export const findByMailKey =
  (context: Context): ApprovalsHandlers['findByMailKey'] =>
  async ({ approval, keyHash }) => {
    const found = await findMailed(context, approval, keyHash);
    return found === null ? {} : await showMailed(context, found);
  };

export interface Mailed {
  whole: WholeApproval;
  recipient: RecipientRow;
}

const hashBytes = 32;

/** Whom a link was sent to, and the ask; null for a key that is of none. */
export async function findMailed(
  { gathered }: Pick<Context, 'gathered'>,
  printed: string,
  keyHash: Uint8Array,
): Promise<Mailed | null> {
  const id = parseId('apr', printed);
  if (id === null || keyHash.length !== hashBytes) return null;
  const whole = await gathered.find(id);
  const recipient = whole?.recipients.find(({ key_hash }) => key_hash?.equals(keyHash));
  return whole === null || recipient === undefined ? null : { whole, recipient };
}

/** As somebody sees it of whom nothing is known but that they have the link. */
export async function showMailed(context: Context, { whole, recipient }: Mailed) {
  const { address: email } = recipient;
  return { approval: await showApproval(context, whole, bearer(whole.approval)), email };
}

/** Somebody under 18 has another id for each ask that goes out by mail. */
function bearer({ id }: ApprovalRow): Caller {
  return create(CallerSchema, { kind: CallerKind.ANONYMOUS, id });
}
