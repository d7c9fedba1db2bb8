import { badField, badRequest, type HearthError } from '@hearth/errors';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { InviteUse } from './invite-state.ts';

const dayMs = 86_400_000;

/** The bounds of invites, configurable per home. */
export interface InviteBounds {
  usualDays: number;
  oneTimeDays: number;
  reusableDays: number;
  usualUses: number;
}

/** @throws bad_field if the time is past or too far ahead */
export function expiryOf(given: Date | null, reusable: boolean, bounds: InviteBounds, now: Date): Date {
  const most = reusable ? bounds.reusableDays : bounds.oneTimeDays;
  if (given === null) return new Date(now.getTime() + Math.min(bounds.usualDays, most) * dayMs);
  if (given <= now) throw badField('expires_at', 'must be in the future');
  if (given.getTime() > now.getTime() + most * dayMs) {
    const kind = reusable ? 'a reusable link' : 'a one-time invite';
    throw badField('expires_at', `must be at most ${most} days ahead for ${kind}`);
  }
  return given;
}

/** @throws bad_field for a one-time invite with a number of uses */
export function usesOf(given: number | undefined, reusable: boolean, bounds: InviteBounds): number {
  if (reusable) return given ?? bounds.usualUses;
  if (given !== undefined)
    throw badField('max_uses', 'is for a reusable link; a one-time invite is used once');
  return 1;
}

/** @throws bad_field if both are given and differ */
export function forAgesOf(band: AgeBand | undefined, several: readonly AgeBand[]): readonly AgeBand[] {
  const ages = [...new Set(several)];
  if (ages.length === 0) return [band || AgeBand.ADULT];
  if (band && (ages.length > 1 || ages[0] !== band))
    throw badField('for_age', 'is for an invite for one age; give for_ages alone');
  return ages;
}

/** Why a group cannot have an invite for these ages; null if it can. */
export function ageRefusal(
  minors: 'no' | 'guardian' | 'teens',
  forAges: readonly AgeBand[],
): HearthError | null {
  if (minors !== 'no' || forAges.every((age) => age === AgeBand.ADULT)) return null;
  return badRequest('this group is for adults; open it to people under 18 in its settings first', {
    code: 'minors_not_allowed',
    field: 'for_age',
  });
}

/** Why a person of this age cannot use an invite for these ages; null if they can. */
export function bandRefusal(forAges: readonly AgeBand[], band: AgeBand): HearthError | null {
  if (forAges.includes(band)) return null;
  if (forAges.every((age) => age === AgeBand.ADULT))
    return badRequest('this invite is for adults; ask for one that is for your age', {
      code: 'minors_not_allowed',
    });
  return badField('code', 'belongs to an invite for another age; ask for one that is for yours');
}

/** Why an invite cannot be used; null if it can. */
export function useRefusal(use: InviteUse): HearthError | null {
  switch (use) {
    case 'ok':
      return null;
    case 'full':
      return badRequest('no room is left by this invite; ask for a new one', {
        code: 'cap_reached',
      });
    case 'expired':
      return badRequest('this invite has expired; ask for a new one', { code: 'not_waiting' });
    case 'revoked':
      return badRequest('this invite was taken back; ask for a new one', { code: 'not_waiting' });
    default:
      return badRequest('this invite was used already; ask for a new one', { code: 'not_waiting' });
  }
}
