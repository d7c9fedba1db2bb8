import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { consentAgeOf } from './consent-age.ts';

const ages = { default: 16, US: 13, AT: 14 };

test.each([
  ['de-AT', 14],
  ['de-at', 14],
  ['de-Latn-AT', 14],
  ['en-US', 13],
  ['en', 16],
  ['de-CH', 16],
  ['', 16],
  ['x', 16],
  ['en-constructor', 16],
  // A numeric region, which is not a country.
  ['es-419', 16],
])('of the locale %j is %i', (locale, age) => {
  expect(consentAgeOf(locale, ages)).toBe(age);
});

test('is always one of the configured ages', () => {
  fc.assert(fc.property(fc.string(), (locale) => expect([13, 14, 16]).toContain(consentAgeOf(locale, ages))));
});
