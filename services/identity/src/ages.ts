import { type Clock, nowDate } from '@hearth/clock';
import type { Sealer } from '@hearth/sealing';
import {
  type AgeBandWord,
  type BirthMonth,
  bandNow,
  parseBirthMonth,
  printBirthMonth,
} from './domain/age-band.ts';
import { type ConsentAges, consentAgeOf } from './domain/consent-age.ts';
import { type LocalDate, localDate } from './domain/local-date.ts';

/** How old people are, by the home's calendar. Births are sealed, each for its own person. */
export interface Ages {
  today(): LocalDate;
  sealBirth(person: string, birth: BirthMonth): Buffer;
  /** The band by now of a person as stored. */
  bandOf(person: { id: string; ageBand: AgeBandWord; birth: Buffer | null }): AgeBandWord;
  /** From which age somebody of that locale needs no guardian. */
  consentAge(locale: string): number;
}

export interface AgesOptions {
  clock: Clock;
  sealer: Pick<Sealer, 'seal' | 'open'>;
  /** The home's, IANA. */
  timeZone: string;
  consentAges: ConsentAges;
}

export function createAges({ clock, sealer, timeZone, consentAges }: AgesOptions): Ages {
  const today = () => localDate(nowDate(clock), timeZone);
  const contextOf = (person: string) => `person.birth:${person}`;
  return {
    today,
    sealBirth: (person, birth) => sealer.seal(Buffer.from(printBirthMonth(birth)), contextOf(person)),
    bandOf({ id, ageBand, birth }) {
      // Nobody leaves the last band, so that the births of adults are never opened.
      if (birth === null || ageBand === 'adult') return ageBand;
      return bandNow(ageBand, parseBirthMonth(sealer.open(birth, contextOf(id)).toString()), today());
    },
    consentAge: (locale) => consentAgeOf(locale, consentAges),
  };
}
