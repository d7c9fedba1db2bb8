import { badField, badRequest, forbidden } from '@hearth/errors';
import type { KnownAge } from './age-band.ts';

export const mostGuardians = 2;

/** @param minors the app's permission; null for an app that is there no more */
export function checkMinorsAllowed(minors: boolean | null): void {
  if (minors === true) return;
  throw forbidden('this app may not hold people under 18; the operator of the home can allow it', {
    code: 'minors_not_allowed',
  });
}

/**
 * @param consentAge from which age nobody needs a guardian where the person lives
 * @throws bad_request guardian_needed when the age asks for a guardian; bad_field for a guardian of an adult
 */
export function checkGuardianGiven({ band, leastAge }: KnownAge, consentAge: number, given: boolean): void {
  if (band === 'adult') {
    if (given) throw badField('guardian', 'is for people under 18');
    return;
  }
  if (given || leastAge >= consentAge) return;
  throw badRequest(
    band === 'child'
      ? 'guardian: somebody under 13 needs one; give the id of an adult whom you hold'
      : `guardian: where this person lives somebody under ${consentAge} needs one; give the id of an adult whom you hold`,
    { code: 'guardian_needed', field: 'guardian' },
  );
}
