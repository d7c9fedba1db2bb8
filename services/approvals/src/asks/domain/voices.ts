import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';

/**
 * Adds the shared voices: a guardian's first answer counts for the child, and an organizer's for a join
 * request, as with `review_invite`.
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
