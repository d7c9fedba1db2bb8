import { expect, test } from '@jest/globals';
import { createLanguage, createLanguages, english } from './index.ts';

const made = ['de', 'pt-BR', 'zh-Hans', 'zh-Hant', 'fr-CA', 'fr'].map((tag) =>
  createLanguage(tag, {}, english),
);
const languages = createLanguages([english, ...made], english);

test.each([
  ['de', 'de'],
  ['DE', 'de'],
  ['de-CH', 'de'],
  ['de-Latn-AT-1996', 'de'],
  ['de-CH-u-nu-latn', 'de'],
  ['en', 'en-GB'],
  ['en-US', 'en-GB'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['zh-TW', 'zh-Hant'],
  ['zh', 'zh-Hans'],
  ['fr-CA', 'fr-CA'],
  ['fr-CH', 'fr'],
  ['fr', 'fr'],
])('an account in %s reads %s', (language, tag) => {
  expect(languages.of({ language, accepts: 'es' }).tag).toBe(tag);
});

test.each([
  ['de-CH,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.3, de;q=0.7', 'de'],
  ['ja, fr-CA;q=0.5, de;q=0.4', 'fr-CA'],
  ['de;q=0, fr', 'fr'],
  ['de;q=0', 'en-GB'],
  ['*', 'en-GB'],
  ['de;q=2, fr', 'fr'],
  ['_, ;, de_DE, x-klingon, fr;q=1.0', 'fr'],
  [`${'ja,'.repeat(50)}de`, 'en-GB'],
  ['', 'en-GB'],
  [undefined, 'en-GB'],
])('a browser that asks for %s is answered in %s', (accepts, tag) => {
  expect(languages.of({ accepts }).tag).toBe(tag);
});

test("the account's language takes precedence over the browser's, and an unavailable language is ignored", () => {
  expect(languages.of({ language: 'fr', accepts: 'de' }).tag).toBe('fr');
  expect(languages.of({ language: 'pl', accepts: 'de' }).tag).toBe('de');
  expect(languages.of({ language: '', accepts: 'pl' }).tag).toBe('en-GB');
});

test("the operator's default applies to readers whose languages are unavailable", () => {
  const german = languages.of({ language: 'de' });
  const withDefault = createLanguages(languages.all, german);
  expect(withDefault.of({})).toBe(german);
  expect(withDefault.of({ accepts: 'pl, en;q=0.1' })).toBe(english);
});
