import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { maxPersonName, readPersonName } from './person-name.ts';

test.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['  Ada\n Lovelace\u200b ', 'Ada Lovelace'],
  ["Seán O'Neill Jr.", "Seán O'Neill Jr."],
  ['St. John', 'St. John'],
  ['ada.lovelace', 'ada.lovelace'],
])('%j is %j', (given, name) => {
  expect(readPersonName(given)).toBe(name);
});

test.each([
  '',
  ' ',
  '\u2060',
  'x'.repeat(61),
  '@ann',
  'Ann @bob',
  'see https://x.example',
  'ann@home.example',
])('%j is refused', (given) => {
  expect(() => readPersonName(given)).toThrow(/^name: must /);
});

test('is idempotent, and its length is counted in characters', () => {
  expect(readPersonName('😀'.repeat(maxPersonName))).toBe('😀'.repeat(maxPersonName));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (given) => {
      let name: string;
      try {
        name = readPersonName(given);
      } catch {
        return;
      }
      expect(readPersonName(name)).toBe(name);
    }),
  );
});
