import { badField, badRequest, type HearthError } from '@hearth/errors';
import { english, type Text } from '@hearth/i18n';
import { expect, test } from '@jest/globals';
import { type FieldsOfPage, fieldErrors, lineOf } from './failures.ts';

const wordsAt = (error: HearthError, fields: FieldsOfPage) =>
  Object.fromEntries(
    Object.entries(fieldErrors(error, fields) ?? {}).map(([name, words]) => [
      name,
      english.words(words as Text),
    ]),
  );

const tooLong = (field: string) =>
  badField(field, 'must have 1 to 40 characters; it has 41', {
    range: { of: 'characters', least: 1, most: 40 },
  });

test('what is wrong with a field stands at its field of the page', () => {
  expect(wordsAt(tooLong('code'), { code: 'digits' })).toEqual({ digits: 'Use 1 to 40 characters.' });
});

test.each([
  [undefined, '“Plum”: Use 1 to 40 characters.'],
  [3, 'Line 3 (“Plum”): Use 1 to 40 characters.'],
])('what is wrong with line %s names it', (number, words) => {
  const fields = { 'options[2]': lineOf('options', 'Plum', number) };
  expect(wordsAt(tooLong('options[2]'), fields)).toEqual({ options: words });
});

test('errors of other fields, or of the whole request, are not shown at a field', () => {
  expect(fieldErrors(badField('handle', 'is taken'), { code: 'code' })).toBeUndefined();
  expect(fieldErrors(badRequest('too late', { code: 'not_waiting' }), { code: 'code' })).toBeUndefined();
});

test('an ambiguous or skipped time is explained without advice for programs', () => {
  const words =
    'starts_at: the clocks of Europe/Zurich skip 2027-03-28T02:30; give another time, or one of the readings';
  const error = badRequest(words, { code: 'ambiguous_time', field: 'starts_at', readings: ['a', 'b'] });
  expect(wordsAt(error, { starts_at: 'starts-1' })).toEqual({
    'starts-1': expect.stringContaining('The clocks change that night'),
  });
});
