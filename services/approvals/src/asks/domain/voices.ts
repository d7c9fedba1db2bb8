import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';

/**
 * Recipients with the voice that they share: the first answer of a guardian counts for a child, and that of an organizer for a
 * join request, as it does where it is given by review_invite.
 */
export function withVoices<Place extends Pick<RecipientRow, 'guards'>>(
  { kind }: Pick<ApprovalRow, 'kind'>,
  places: readonly Place[],
): (Place & { voice: string | null })[] {
  return places.map((place) => ({
    ...place,
    voice: place.guards ?? (kind === 'join_request' ? 'organizers' : null),
  }));
}
