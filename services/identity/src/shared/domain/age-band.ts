import { badField, badRequest } from '@hearth/errors';
import type { LocalDate } from './local-date.ts';

/** In the database's spelling, oldest first. */
export const ageBands = ['adult', 'teen16', 'teen13', 'child'] as const;

export type AgeBandWord = (typeof ageBands)[number];

/** A year and month: all that is stored of a birthday. */
export interface BirthMonth {
  year: number;
  /** 1 to 12 */
  month: number;
}

const oldestPossible = 120;
/** The least age of each band. */
const leastAges: Record<AgeBandWord, number> = { adult: 18, teen16: 16, teen13: 13, child: 0 };

/**
 * Reads YYYY-MM.
 *
 * @throws bad_field for a month in the future, or more than 120 years ago
 */
export function readBirthMonth(text: string, today: LocalDate): BirthMonth {
  const birth = parseBirthMonth(text);
  if (birth === null) throw badField('birth_year_month', 'must be a year and month such as 2012-05');
  const months = monthsSince(birth, today);
  if (months < 0) throw badField('birth_year_month', 'lies in the future');
  if (months > oldestPossible * 12) {
    throw badField('birth_year_month', `lies more than ${oldestPossible} years back`);
  }
  return birth;
}

export function parseBirthMonth(text: string): BirthMonth | null {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text);
  return match === null ? null : { year: Number(match[1]), month: Number(match[2]) };
}

export function printBirthMonth({ year, month }: BirthMonth): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
}

/**
 * The age that a person has certainly reached. The day of birth is unknown, so an age counts from the first
 * day of the month after the birthday's.
 */
export function certainAge(birth: BirthMonth, today: LocalDate): number {
  return Math.max(0, Math.floor((monthsSince(birth, today) - 1) / 12));
}

function monthsSince(birth: BirthMonth, today: LocalDate): number {
  return (today.year - birth.year) * 12 + (today.month - birth.month);
}

export function bandOfAge(age: number): AgeBandWord {
  return ageBands.find((band) => age >= leastAges[band]) as AgeBandWord;
}

/** The lowest age in the band. */
export function leastAgeOf(band: AgeBandWord): number {
  return leastAges[band];
}

/** The older of two bands: a clock or time zone set back makes no one younger. */
export function olderBand(one: AgeBandWord, other: AgeBandWord): AgeBandWord {
  return ageBands.indexOf(one) < ageBands.indexOf(other) ? one : other;
}

/** The current band of a person whose band was `stored` at the last update. */
export function bandNow(stored: AgeBandWord, birth: BirthMonth | null, today: LocalDate): AgeBandWord {
  return birth === null ? stored : olderBand(stored, bandOfAge(certainAge(birth, today)));
}

export interface NextBand {
  band: AgeBandWord;
  /** The band begins on the first day of this month. */
  from: BirthMonth;
}

/** The band after `band` and when it begins; null after the last one. */
export function nextBand(band: AgeBandWord, birth: BirthMonth): NextBand | null {
  const next = ageBands[ageBands.indexOf(band) - 1];
  if (next === undefined) return null;
  // The age is reached in the month of birth and counts from the month after.
  const month = birth.month % 12;
  return {
    band: next,
    from: { year: birth.year + leastAges[next] + (month === 0 ? 1 : 0), month: month + 1 },
  };
}

export interface GivenAge {
  birth: BirthMonth | null;
  band: AgeBandWord | null;
}

/** A new person's age, as far as it is known: the band and the lowest possible age. */
export interface KnownAge {
  band: AgeBandWord;
  leastAge: number;
}

/** @throws bad_request if neither is given or the two disagree */
export function ageOf({ birth, band }: GivenAge, today: LocalDate): KnownAge {
  if (birth === null) {
    if (band === null)
      throw badRequest('give birth_year_month or age_band', { code: 'bad_field', field: 'age_band' });
    return { band, leastAge: leastAgeOf(band) };
  }
  const leastAge = certainAge(birth, today);
  const computed = bandOfAge(leastAge);
  if (band !== null && band !== computed) {
    throw badField(
      'age_band',
      `is ${band}, while birth_year_month makes it ${computed} (a year of age counts from the month after the ` +
        'birthday); give one of them',
    );
  }
  return { band: computed, leastAge };
}
