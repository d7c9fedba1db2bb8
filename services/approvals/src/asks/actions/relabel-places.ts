import type { Context } from '../context.ts';
import { changePlace, type RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { changeApproval } from './change-approval.ts';

/**
 * Changes the request kind of the ask's waiting places; places that `isRefused` selects end as declined by a
 * rule.
 *
 * @returns the ask after the change
 */
export async function relabelPlaces(
  context: Context,
  id: string,
  kind: string,
  isPlace: (recipient: RecipientRow) => boolean,
  isRefused: (recipient: RecipientRow) => boolean = () => false,
): Promise<WholeApproval> {
  return await changeApproval(context, id, async (_, recipients, tx) => {
    const places = recipients.filter((recipient) => isPlace(recipient) && recipient.decision === 'waiting');
    for (const place of places) await changePlace(tx, place, { request_kind: kind });
    const positions = places.filter(isRefused).map(({ position }) => position);
    if (positions.length === 0) return null;
    return { act: { kind: 'drop', positions, why: 'by_rule' }, by: null };
  });
}
