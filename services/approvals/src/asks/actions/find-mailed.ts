import { create } from '@bufbuild/protobuf';
import { parseId } from '@hearth/ids';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import type { Context } from '../context.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { showApproval } from './show-approvals.ts';

export interface Mailed {
  whole: WholeApproval;
  recipient: RecipientRow;
}

const hashBytes = 32;

/** The recipient of a link, and the ask; null for a key that belongs to none. */
export async function findMailed(
  { batched }: Pick<Context, 'batched'>,
  printed: string,
  keyHash: Uint8Array,
): Promise<Mailed | null> {
  const id = parseId('apr', printed);
  if (id === null || keyHash.length !== hashBytes) return null;
  const whole = await batched.find(id);
  const recipient = whole?.recipients.find(({ key_hash }) => key_hash?.equals(keyHash));
  return whole === null || recipient === undefined ? null : { whole, recipient };
}

/** Shows the ask to a bearer of the link of whom nothing else is known. */
export async function showMailed(context: Context, { whole, recipient }: Mailed) {
  // With the ask's id, so that a child has another id for each ask that goes out by mail.
  const bearer = create(CallerSchema, { kind: CallerKind.ANONYMOUS, id: whole.approval.id });
  return { approval: await showApproval(context, whole, bearer), email: recipient.address };
}
