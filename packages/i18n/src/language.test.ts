import { describe, expect, test } from '@jest/globals';
import { createLanguage, english, formatted, listed, type Messages, type Text, t } from './index.ts';

const german = createLanguage('de', {
  'rules.cap': 'Höchstens pro Woche',
  'rules.start-changes': '{count, plural, one {Eine Regel ändert sich} other {# Regeln ändern sich}}.',
});

test('a text is formatted in the language of its reader', () => {
  const text = t('rules.start-changes', { count: 3 });
  expect(english.words(text)).toBe('3 rules change. Nothing changes until you confirm.');
  expect(german.words(text)).toBe('3 Regeln ändern sich.');
});

test('a message missing from a catalogue falls back to English', () => {
  const partly = createLanguage('de', {}, english);
  expect(partly.words(t('rules.cap'))).toBe('Limit per week');
  expect(() => german.words(t('rules.save'))).toThrow('no message rules.save');
});

test('values are texts, names and lists, each in that language', () => {
  const kinds = listed([t('requests.kind.sales'), 'R&D']);
  expect(english.words(t('rules.turned-away', { counts: kinds }))).toBe(
    'Turned away this week: Sales and R&D',
  );
  expect(german.words(listed(['A', 'B', 'C']))).toBe('A, B und C');
  const markup = { b: 1 };
  expect(listed([markup, 'B']).parts(german)).toEqual([markup, ' und ', 'B']);
});

test('dates and numbers follow the language', () => {
  const day = formatted(({ tag }) =>
    new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(0),
  );
  expect([english.words(day), german.words(day)]).toEqual(['1 January 1970', '1. Januar 1970']);
});

test('a name with ICU syntax is shown unchanged', () => {
  expect(english.words(t('rules.from-preset', { preset: '{count, plural} <b>' }))).toBe(
    'You started from “{count, plural} <b>”.',
  );
});

describe('a mistake is found at once', () => {
  test('a text in a string', () => {
    expect(() => `${t('rules.save')}`).toThrow('no words before its language is known');
  });

  test('markup in plain text', () => {
    expect(() => english.words(t('rules.from-preset', { preset: { b: 1 } }))).toThrow(
      'no place in plain words',
    );
  });
});

test('every message formats with the values that it declares', () => {
  const words: Text[] = [t('rules.save' satisfies keyof Messages)];
  expect(words.map((text) => english.words(text))).toEqual(['Save rules']);
});

test('a right-to-left language is marked as such', () => {
  expect([english.dir, createLanguage('ar', {}).dir]).toEqual(['ltr', 'rtl']);
});
