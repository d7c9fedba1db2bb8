import { type Clock, nowDate } from '@hearth/clock';
import type { Sealer } from '@hearth/sealing';
import {
  type AgeBandWord,
  type BirthMonth,
  bandNow,
  certainAge,
  leastAgeOf,
  type NextBand,
  nextBand,
  parseBirthMonth,
  printBirthMonth,
} from '../domain/age-band.ts';
import { type ConsentAges, consentAgeOf } from '../domain/consent-age.ts';
import { type LocalDate, localDate } from '../domain/local-date.ts';

/** People's ages by the home's calendar. Births are sealed with a key context of their own. */
export interface Ages {
  today(): LocalDate;
  sealBirth(person: string, birth: BirthMonth): Buffer;
  /** The current age band of a stored person. */
  bandOf(person: { id: string; ageBand: AgeBandWord; birth: Buffer | null }): AgeBandWord;
  /** The age that a stored person has certainly reached. */
  leastAgeOf(person: { id: string; ageBand: AgeBandWord; birth: Buffer | null }): number;
  /** The next age band and when it begins; null for an adult, or if the birth is unknown. */
  nextBandOf(person: { id: string; ageBand: AgeBandWord; birth: Buffer | null }): NextBand | null;
  /** The age from which a person with this locale needs no guardian. */
  consentAge(locale: string): number;
}

export interface AgesOptions {
  clock: Clock;
  sealer: Pick<Sealer, 'seal' | 'open'>;
  /** The home's IANA time zone. */
  timeZone: string;
  consentAges: ConsentAges;
}

export function createAges({ clock, sealer, timeZone, consentAges }: AgesOptions): Ages {
  const today = () => localDate(nowDate(clock), timeZone);
  const contextOf = (person: string) => `person.birth:${person}`;
  const open = (person: string, birth: Buffer) =>
    parseBirthMonth(sealer.open(birth, contextOf(person)).toString());
  const bandOf: Ages['bandOf'] = ({ id, ageBand, birth }) => {
    // Adults stay adults, so their births are never opened.
    if (birth === null || ageBand === 'adult') return ageBand;
    return bandNow(ageBand, open(id, birth), today());
  };
  return {
    today,
    sealBirth: (person, birth) => sealer.seal(Buffer.from(printBirthMonth(birth)), contextOf(person)),
    bandOf,
    leastAgeOf({ id, ageBand, birth }) {
      const known = birth === null || ageBand === 'adult' ? null : open(id, birth);
      return Math.max(leastAgeOf(ageBand), known === null ? 0 : certainAge(known, today()));
    },
    nextBandOf(person) {
      const { id, ageBand, birth } = person;
      const known = birth === null || ageBand === 'adult' ? null : open(id, birth);
      return known === null ? null : nextBand(bandOf(person), known);
    },
    consentAge: (locale) => consentAgeOf(locale, consentAges),
  };
}
