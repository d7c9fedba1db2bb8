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

/** The ask and the recipient that a mailed link belongs to; null if the key matches none. */
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

/** Shows the ask to the anonymous bearer of the link. */
export async function showMailed(context: Context, { whole, recipient }: Mailed) {
  // The viewer's id is the ask's, so that a child has a different shielded id in each mailed ask.
  const bearer = create(CallerSchema, { kind: CallerKind.ANONYMOUS, id: whole.approval.id });
  return { approval: await showApproval(context, whole, bearer), email: recipient.address };
}
