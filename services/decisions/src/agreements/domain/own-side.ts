import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { AgreementSide } from '@hearth/proto/decisions/v1/agreements';
import type { JsonObject } from '@hearth/signing';
import type { AgreementParty } from './agreement.ts';
import { outcomes } from './enum-names.ts';

type Kept = Pick<
  AgreementParty,
  'approval' | 'approvedAt' | 'gone' | 'home' | 'note' | 'settled' | 'signature' | 'signedAt' | 'vouched'
>;

/** A side of another home's agreement as callers read it: this home knows by itself what its own AIs and their owners did. */
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

/** Whether the home of an agreement says of an AI here, or of its owner, what they did not do, or leaves out what it said before. */
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

/** Whether the record of an agreement says that the owner of a side here approved, and they did not. */
export function isMadeUpFor(kept: Kept, place: number, record: JsonObject | undefined): boolean {
  const recorded = [record?.['sides'] ?? []].flat()[place];
  if (kept.home !== undefined || typeof recorded !== 'object' || recorded === null) return false;
  const approved = kept.approvedAt !== null || kept.vouched === true;
  return 'owner_approved_at' in recorded && !approved;
}

/** Marks the sides at these places, and no other, as those of which their home says what they did not say. */
export function markDisputed(
  sides: readonly AgreementParty[],
  places: ReadonlySet<number>,
): AgreementParty[] {
  return sides.map(({ disputed: _, ...side }, place) =>
    places.has(place) ? { ...side, disputed: true, disputeTold: true } : side,
  );
}
