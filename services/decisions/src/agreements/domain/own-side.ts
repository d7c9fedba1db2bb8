import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { AgreementSide } from '@hearth/proto/decisions/v1/agreements';
import type { JsonObject } from '@hearth/signing';
import type { AgreementParty } from './agreement.ts';
import { outcomes } from './enum-names.ts';

type Kept = Pick<
  AgreementParty,
  'approval' | 'approvedAt' | 'gone' | 'home' | 'note' | 'settled' | 'signature' | 'signedAt' | 'vouched'
>;

/**
 * A side of a remote agreement as readers here see it: for a local side, this home's own knowledge takes
 * precedence.
 */
export function asHere(shown: AgreementSide, kept: Kept): AgreementSide {
  if (kept.home !== undefined) return shown;
  const { note: _, ownerApproved: __, ...rest } = shown;
  const { approval, approvedAt, note, settled, signature, signedAt } = kept;
  return {
    ...rest,
    ...(signedAt !== null && { signedAt: timestampFromMs(signedAt) }),
    ...(settled !== null && { settled: outcomes.valueOf(settled) }),
    ...(note !== '' && { note }),
    gone: kept.gone,
    ownKey: shown.ownKey && signature !== null,
    ...(approval !== null && { ownerApproved: approvedAt !== null }),
  };
}

/** Whether the remote home claims something that a local AI or its owner didn't do, or leaves out what they did. */
export function isMisstated(shown: AgreementSide, kept: Kept): boolean {
  const { gone, ownerApproved, ownKey, settled, signedAt } = shown;
  if (kept.home !== undefined) return false;
  const approved = kept.approvedAt !== null || kept.vouched === true;
  const isLeftOut =
    (signedAt === undefined && kept.signedAt !== null) || (settled === undefined && kept.settled !== null);
  return (
    isLeftOut ||
    (gone && !kept.gone) ||
    (ownKey && kept.signature === null) ||
    (ownerApproved === true && !approved)
  );
}

/** Whether the record claims an approval that the local side's owner didn't give. */
export function isMadeUpFor(kept: Kept, place: number, record: JsonObject | undefined): boolean {
  const recorded = [record?.['sides'] ?? []].flat()[place];
  if (kept.home !== undefined || typeof recorded !== 'object' || recorded === null) return false;
  const approved = kept.approvedAt !== null || kept.vouched === true;
  return 'owner_approved_at' in recorded && !approved;
}

/** Marks exactly the sides at these positions as misstated by the remote home. */
export function markDisputed(
  sides: readonly AgreementParty[],
  places: ReadonlySet<number>,
): AgreementParty[] {
  return sides.map(({ disputed: _, ...side }, place) =>
    places.has(place) ? { ...side, disputed: true, disputeTold: true } : side,
  );
}
