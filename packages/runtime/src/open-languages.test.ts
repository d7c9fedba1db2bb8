import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { t } from '@hearth/i18n';
import { afterAll, expect, test } from '@jest/globals';
import { openLanguages } from './open-languages.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-languages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const [language, messages] of Object.entries({
  de: { title: 'Ihr Konto', saved: 'Gespeichert.' },
  fr: { title: 'Votre compte' },
})) {
  mkdirSync(join(folder, language));
  writeFileSync(join(folder, language, 'account.json'), JSON.stringify(messages));
}

const open = (language: string, catalogues: string | undefined = folder) =>
  openLanguages({ catalogues, language });

test('a home without catalogues uses English', () => {
  const { all, of } = openLanguages({ catalogues: undefined, language: 'en' });
  expect([all.map(({ tag }) => tag), of({ language: 'de', accepts: 'fr' }).tag]).toEqual([
    ['en-GB'],
    'en-GB',
  ]);
});

test("readers without an available language get the home's language", () => {
  expect([open('en').of({}).tag, open('de-CH').of({}).tag, open('de').of({ accepts: 'pl' }).tag]).toEqual([
    'en-GB',
    'de',
    'de',
  ]);
});

test("a missing message falls back to the home's language, then to English", () => {
  const words = (home: string) => {
    const french = open(home).of({ language: 'fr' });
    return [t('account.title'), t('account.saved'), t('account.age')].map((text) => french.words(text));
  };
  expect(words('de')).toEqual(['Votre compte', 'Gespeichert.', 'Age']);
  expect(words('en')).toEqual(['Votre compte', 'Saved.', 'Age']);
});

test('mistakes in catalogues stop the start', () => {
  expect(() => open('es')).toThrow(
    'HEARTH_LANGUAGE is "es", a language in which this home has no texts; expected one of en-GB, de, fr',
  );
  const missing = join(folder, 'nowhere');
  expect(() => open('en', missing)).toThrow(`HEARTH_CATALOGUES cannot be read (ENOENT: ${missing})`);
  writeFileSync(join(folder, 'fr', 'ways.json'), '{}');
  expect(() => open('en')).toThrow(
    '1 invalid setting:\n  HEARTH_CATALOGUES has the file fr/ways.json; expected',
  );
});
