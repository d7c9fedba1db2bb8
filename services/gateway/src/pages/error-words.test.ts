import {
  badField,
  codes,
  forbidden,
  HearthError,
  rateLimited,
  rules,
  unauthenticated,
  unavailable,
} from '@hearth/errors';
import { english } from '@hearth/i18n';
import { describe, expect, test } from '@jest/globals';
import { errorWords, plainErrorWords } from './error-words.ts';

const said = (error: HearthError) => english.words(errorWords(error));
const message = 'shp_1 has no such member_id; call set_guardian with keep_old_minutes 0';
const general = 'This can’t be done. Check what you entered, or open the page again.';

describe('an error as a person reads it', () => {
  test.each(codes)('%s: no word for programs', (code) => {
    const words = said(new HearthError('bad_request', message, { code, field: 'settings.some_field' }));
    expect(words).toMatch(/^\p{Lu}.*\.$/su);
    expect(words).not.toMatch(/_|set guardian|some field/);
  });

  test.each([
    ['already_settled', 'This has already been done or answered.'],
    ['slot_taken', 'This time is no longer free. Choose another one.'],
    ['unknown_field', general],
    ['a_code_of_a_later_version', general],
    [undefined, general],
  ])('%s', (code, words) => {
    expect(said(new HearthError('bad_request', message, { code: code as never }))).toBe(words);
  });

  test.each([
    ['options[1].starts_at', 'Choose a time in the future. It must end after it starts.'],
    ['settings.minors', 'Choose one of the options.'],
    ['constructor', 'This isn’t valid. Check it and try again.'],
  ])('the field %s', (field, words) => {
    expect(said(badField(field, 'must be another'))).toBe(words);
  });

  test.each([
    ['characters', 0, 140, 'Use at most 140 characters.'],
    ['characters', 1, 4_000, 'Use 1 to 4,000 characters.'],
    ['characters', 6, 6, 'Use exactly 6 characters.'],
    ['items', 2, 12, 'Add 2 to 12.'],
    ['items', 0, 12, 'Add at most 12.'],
    ['number', 0, 1_000, 'Enter a number from 0 to 1,000.'],
  ] as const)('a range of %s, %i to %i', (of, least, most, words) => {
    expect(said(badField('text', 'is wrong', { range: { of, least, most } }))).toBe(words);
  });

  test('has a text for each rule, instead of its code or field', () => {
    const words = rules.map((rule) => said(forbidden(message, { rule })));
    expect(new Set(words).size).toBe(rules.length);
    expect(words).not.toContain(said(forbidden(message)));
    expect(said(badField('handle', 'is taken', { rule: 'taken' }))).toBe(
      'This is already in use. Choose another one.',
    );
  });

  test('one without a code, by its kind', () => {
    expect(said(unauthenticated('send a key'))).toBe('Sign in first.');
    expect(said(unavailable('identity does not answer'))).toContain('Try again in a moment.');
    const limited = rateLimited('children_a_day', new Date('2026-01-02T03:04:05Z'));
    expect(english.words(plainErrorWords(limited))).toBe('You’ve done that too often. Try again later.');
  });
});
