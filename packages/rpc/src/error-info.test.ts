import { badField, forbidden, type HearthError, rateLimited } from '@hearth/errors';
import { expect, test } from '@jest/globals';
import { decodeError, encodeError, fromErrorInfo, toErrorInfo } from './error-info.ts';

test.each<[string, HearthError]>([
  ['a rule', badField('handle', 'is taken', { rule: 'taken' })],
  ['a range', badField('name', 'is too long', { range: { of: 'characters', least: 1, most: 60 } })],
  ['scopes', forbidden('this needs a permission', { scopes: ['group', 'message'] })],
  ['a limit', rateLimited('asks_a_day', new Date('2026-01-02T03:04:05Z'))],
])('an error with %s arrives as it was sent', (_, error) => {
  const { kind, message, details } = error;
  expect(decodeError(encodeError(error))).toMatchObject({ kind, message, details });
});

test('a rule of a later version is left out', () => {
  const info = { ...toErrorInfo(forbidden('no')), rule: 'of_a_later_version' };
  expect(fromErrorInfo(info).details).toEqual({ code: 'no_permission' });
});
