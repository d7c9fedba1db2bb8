import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ageBands,
  ageOf,
  bandNow,
  bandOfAge,
  certainAge,
  leastAgeOf,
  nextBand,
  olderBand,
  parseBirthMonth,
  printBirthMonth,
  readBirthMonth,
} from './age-band.ts';

const on = (year: number, month: number, day = 1) => ({ year, month, day });
const month = fc.record({
  year: fc.integer({ min: 1900, max: 2100 }),
  month: fc.integer({ min: 1, max: 12 }),
});

describe('the age known from a birth month', () => {
  test.each([
    [on(2026, 3), '2026-03', 0],
    [on(2026, 3), '2025-03', 0],
    [on(2026, 4), '2025-03', 1],
    [on(2026, 2, 28), '2008-02', 17],
    [on(2026, 3, 1), '2008-02', 18],
    [on(2027, 1, 1), '2008-12', 18],
    [on(2026, 12, 31), '2008-12', 17],
  ])('on %j for a birth in %s is %i', (today, birth, age) => {
    expect(certainAge(parseBirthMonth(birth)!, today)).toBe(age);
  });

  test('is not reached in the birth month, whatever the day of birth', () => {
    fc.assert(
      fc.property(month, fc.integer({ min: 0, max: 100 }), (birth, age) => {
        const inBirthMonth = on(birth.year + age, birth.month, 28);
        expect(certainAge(birth, inBirthMonth)).toBe(Math.max(0, age - 1));
      }),
    );
  });

  test('grows by one in twelve months, and never decreases', () => {
    fc.assert(
      fc.property(month, fc.integer({ min: 1, max: 1_200 }), (birth, months) => {
        const at = (count: number) => {
          const whole = birth.year * 12 + birth.month - 1 + count;
          return certainAge(birth, on(Math.floor(whole / 12), (whole % 12) + 1));
        };
        expect(at(months)).toBeGreaterThanOrEqual(at(months - 1));
        expect(at(months + 12)).toBe(at(months) + 1);
      }),
    );
  });
});

describe('a band', () => {
  test.each([
    [0, 'child'],
    [12, 'child'],
    [13, 'teen13'],
    [15, 'teen13'],
    [16, 'teen16'],
    [17, 'teen16'],
    [18, 'adult'],
    [120, 'adult'],
  ])('at %i is %s', (age, band) => {
    expect(bandOfAge(age)).toBe(band);
  });

  test('begins at its minimum age', () => {
    for (const band of ageBands) expect(bandOfAge(leastAgeOf(band))).toBe(band);
  });

  test('never decreases', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ageBands), month, month, (stored, birth, today) => {
        const now = bandNow(stored, birth, { ...today, day: 1 });
        expect(olderBand(now, stored)).toBe(now);
      }),
    );
    expect(bandNow('teen13', null, on(2090, 1))).toBe('teen13');
  });
});

describe('a month of birth', () => {
  test('survives the round trip', () => {
    fc.assert(fc.property(month, (birth) => expect(parseBirthMonth(printBirthMonth(birth))).toEqual(birth)));
  });

  test('is refused in any other form', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^\d{4}-(0[1-9]|1[0-2])$/.test(text));
        expect(parseBirthMonth(text)).toBeNull();
      }),
    );
  });

  test.each([
    ['2026-03', null],
    ['1906-03', null],
    ['2026-04', /future/],
    ['9999-12', /future/],
    ['1906-02', /more than 120 years/],
    ['0000-01', /more than 120 years/],
    ['2026-3', /year and month/],
    ['2026-13', /year and month/],
  ])('%s in March 2026: %s', (text, words) => {
    const read = () => readBirthMonth(text, on(2026, 3));
    if (words === null) expect(printBirthMonth(read())).toBe(text);
    else expect(read).toThrow(words);
  });
});

describe('the age of a new person', () => {
  const today = on(2026, 3);
  const birth = (text: string) => parseBirthMonth(text);

  test('follows from the birth, or is the minimum of the band', () => {
    expect(ageOf({ birth: birth('2012-05'), band: null }, today)).toEqual({ band: 'teen13', leastAge: 13 });
    expect(ageOf({ birth: birth('2012-05'), band: 'teen13' }, today)).toEqual({
      band: 'teen13',
      leastAge: 13,
    });
    expect(ageOf({ birth: null, band: 'teen13' }, today)).toEqual({ band: 'teen13', leastAge: 13 });
  });

  test('is required, and may be given in one way only', () => {
    expect(() => ageOf({ birth: null, band: null }, today)).toThrow('birth_year_month or age_band');
    expect(() => ageOf({ birth: birth('2008-03'), band: 'adult' }, today)).toThrow('makes it teen16');
  });
});

describe('the next band', () => {
  test.each([
    ['child', '2018-05', 'teen13', '2031-06'],
    ['child', '2018-12', 'teen13', '2032-01'],
    ['teen13', '2011-01', 'teen16', '2027-02'],
    ['teen16', '2009-11', 'adult', '2027-12'],
  ] as const)('after %s for a birth in %s is %s from %s on', (band, birth, next, from) => {
    const found = nextBand(band, parseBirthMonth(birth)!);
    expect([found?.band, found && printBirthMonth(found.from)]).toEqual([next, from]);
  });

  test('of an adult does not exist', () => {
    expect(nextBand('adult', { year: 1990, month: 1 })).toBeNull();
  });

  test('begins in the first month with the required age', () => {
    fc.assert(
      fc.property(month, fc.constantFrom(...ageBands), (birth, band) => {
        const next = nextBand(band, birth);
        if (next === null) return;
        const { year, month: first } = next.from;
        expect(bandOfAge(certainAge(birth, on(year, first)))).toBe(next.band);
        const before = first === 1 ? on(year - 1, 12, 31) : on(year, first - 1, 28);
        expect(bandOfAge(certainAge(birth, before))).toBe(band);
      }),
    );
  });
});
