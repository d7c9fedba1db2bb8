import { badField, badRequest } from '@hearth/errors';
import { t, verbatim } from '@hearth/i18n';
import { expect, test } from '@jest/globals';
import { fieldErrors } from './failures.ts';

test.each([
  ['must have at most 40 characters', 'This must have at most 40 characters.'],
  ['these are not the digits that we sent', 'These are not the digits that we sent.'],
  ['"ada" is taken; choose another', '"ada" is taken; choose another.'],
  ['there is no such zone', 'There is no such zone.'],
])('%s stands at its field as a sentence', (words, expected) => {
  expect(fieldErrors(badField('code', words), { code: 'digits' })).toEqual({ digits: verbatim(expected) });
});

test('errors of other fields, or of the whole request, are not shown at a field', () => {
  expect(fieldErrors(badField('handle', 'is taken'), { code: 'code' })).toBeUndefined();
  expect(fieldErrors(badRequest('too late', { code: 'not_waiting' }), { code: 'code' })).toBeUndefined();
});

test('an ambiguous or skipped time is explained without advice for programs', () => {
  const words =
    'starts_at: the clocks of Europe/Zurich skip 2027-03-28T02:30; give another time, or one of the readings';
  const error = badRequest(words, { code: 'ambiguous_time', field: 'starts_at', readings: ['a', 'b'] });
  expect(fieldErrors(error, { starts_at: 'starts-1' })).toEqual({
    'starts-1': t('common.clocks-change'),
  });
});
