import { badField, badRequest, forbidden } from '@hearth/errors';
import { isSuspended } from '@hearth/people';
import { AgeSource, type CreatePersonRequest, type PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { KnownAge } from '../../shared/domain/age-band.ts';

export const mostGuardians = 2;

/** @param minors the app's permission; null if the app no longer exists */
export function checkMinorsAllowed(minors: boolean | null): void {
  if (minors === true) return;
  throw forbidden('this app may not hold people under 18; the operator of the home can allow it', {
    code: 'minors_not_allowed',
  });
}

/**
 * @param consentAge the age from which a person needs no guardian, where they live
 *
 * @throws bad_request guardian_needed if the person is too young to go without a guardian; bad_field for a
 * guardian of an adult
 */
export function checkGuardianGiven({ band, leastAge }: KnownAge, consentAge: number, given: boolean): void {
  if (band === 'adult') {
    if (given) throw badField('guardian', 'is for people under 18');
    return;
  }
  if (given || leastAge >= consentAge) return;
  throw badRequest(
    band === 'child'
      ? 'guardian: a person under 13 needs one; give the id of an adult whom you hold'
      : `guardian: where this person lives, a person under ${consentAge} needs one; give the id of an adult whom you hold`,
    { code: 'guardian_needed', field: 'guardian' },
  );
}

/**
 * @throws forbidden if the person cannot be responsible for a child: under 18, or without a sign-in that
 * identifies them
 */
export function mayMakeChild({ ageBand, guest }: Pick<PersonFacts, 'ageBand' | 'guest'>): void {
  if (ageBand !== AgeBand.ADULT)
    throw forbidden('only an adult can make an account for a child', { rule: 'only_adults' });
  if (guest)
    throw forbidden('a guest cannot make an account for a child: add a sign-in to your own account first', {
      rule: 'no_guests',
    });
}

/** @throws bad_field for fields that a guardian cannot set for their own child */
export function checkOwnChild(
  { ageBand, ageSource, externalId, guest }: CreatePersonRequest,
  { band }: KnownAge,
): void {
  if (band === 'adult')
    throw badField(
      ageBand ? 'age_band' : 'birth_year_month',
      'is that of an adult, who makes an account by their own sign-in',
    );
  if (ageSource && ageSource !== AgeSource.GUARDIAN)
    throw badField('age_source', 'must be guardian, for you say it; leave it out');
  if (guest === true) throw badField('guest', 'is for apps; leave it out');
  if (externalId !== undefined) throw badField('external_id', 'is for apps; leave it out');
}

/** @throws bad_field for an adult, who has no guardian */
export function requireMinor({ ageBand }: Pick<PersonFacts, 'ageBand'>): void {
  if (ageBand === AgeBand.ADULT) throw badField('id', 'a person of 18 or older has no guardian');
}

/** @throws bad_field unless the guardian is an adult of this home */
export function checkAdult(facts: Pick<PersonFacts, 'ageBand'> | null): asserts facts {
  if (facts === null) throw badField('guardian', 'names nobody who can be one');
  if (facts.ageBand !== AgeBand.ADULT) throw badField('guardian', 'must be an adult');
}

/**
 * Checks a guardian that the caller may name: others don't learn who is suspended.
 *
 * @throws bad_field for a person who cannot act for a child: under 18, or suspended
 */
export function checkMayGuard(
  facts: Pick<PersonFacts, 'ageBand' | 'suspendedUntil'> | null,
  now: number,
): void {
  checkAdult(facts);
  if (isSuspended(facts, now))
    throw badField('guardian', 'is suspended and cannot act for a child now; name another adult');
}

/** A child's guardians, and the one being named. */
export interface Naming {
  /** uuids of the current guardians, earliest first. */
  present: readonly string[];
  /** uuid of the named adult. */
  named: string;
  /** Adds a second guardian instead of replacing the current one. */
  second: boolean;
  /** uuid of the guardian who hands over; null if the app names one. */
  by: string | null;
}

/**
 * The guardianship that ends, and whether a new one begins. Naming a current guardian again changes nothing.
 *
 * @throws bad_request (cap_reached) for a third guardian
 */
export function placeGuardian({ present, named, second, by }: Naming): {
  removed: string | null;
  added: boolean;
} {
  const added = !present.includes(named);
  if (second) {
    if (added && present.length >= mostGuardians) {
      throw badRequest(
        `second: a child has at most ${mostGuardians} guardians; leave second out to hand the child over`,
        { code: 'cap_reached', field: 'second' },
      );
    }
    return { removed: null, added };
  }
  const place = by ?? present[0] ?? null;
  return place === named ? { removed: null, added: false } : { removed: place, added };
}

/** Each side's agreement to end a guardianship. */
export interface Words {
  guardian: string;
  childEndedAt: Date | null;
  guardianEndedAt: Date | null;
}

/** @throws bad_request (guardian_needed) for a child under 13, who must have a guardian */
export function checkMayEnd(band: string): void {
  if (band !== 'child') return;
  throw badRequest(
    'a person under 13 needs a guardian: the guardianship can only be handed over, with set_guardian',
    { code: 'guardian_needed' },
  );
}

/**
 * Records that the child or a guardian wants to end the guardianship. It ends once both have agreed.
 *
 * @param guardian uuid of the guardian who agrees; null for the child, whose agreement covers all of them
 * @returns `ended` guardianships, and those with a newly `noted` agreement
 */
export function sayEnd<Row extends Words>(
  rows: readonly Row[],
  guardian: string | null,
  now: Date,
): { ended: Row[]; noted: Row[]; left: Row[] } {
  const said = rows.map((row) => {
    if (guardian === null) return { ...row, childEndedAt: row.childEndedAt ?? now };
    return row.guardian === guardian ? { ...row, guardianEndedAt: row.guardianEndedAt ?? now } : row;
  });
  const isOver = (row: Row) => row.childEndedAt !== null && row.guardianEndedAt !== null;
  const left = said.filter((row) => !isOver(row));
  const noted = left.filter((row) => {
    const before = rows.find((each) => each.guardian === row.guardian) as Row;
    return before.childEndedAt !== row.childEndedAt || before.guardianEndedAt !== row.guardianEndedAt;
  });
  return { ended: said.filter(isOver), noted, left };
}
