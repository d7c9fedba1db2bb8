import { t } from '@hearth/i18n';
import { pseudo, pseudoRightToLeft } from '@hearth/i18n/pseudo';
import { describe, expect, test } from '@jest/globals';
import { samples } from './samples.ts';

const greek = 'αβξδεφγηιϊκλμνοπψρστυωςχύζ';

/** Writes others' texts in Greek letters, so that Latin letters on a pseudo-language's page are the home's own. */
const inGreek = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => greek[letter.toLowerCase().charCodeAt(0) - 97]!);

/** Addresses, paths, hosts, keys, and names that are the same in every language. */
const data = new RegExp(
  [
    'https?://\\S+',
    '[@/][\\w./-]+',
    '&(?:#38;)?[\\w-]+',
    '[\\w@-]+(?:\\.[\\w-]+)+',
    '[\\da-f]*:[\\da-f:/]+',
    '(?:hk|apr|rec)_\\w+',
  ]
    .concat(['Claude', 'UTC', 'New York', 'Berlin', 'Zurich', 'London', 'Tokyo', 'Firefox on Linux'])
    .join('|'),
  'g',
);

/** The texts that a reader sees or hears, without elements that contain data. */
function textsOf(page: string): string[] {
  const body = page
    .replace(/<(code|textarea|option)\b[^>]*>.*?<\/\1>/gs, '')
    .replace(/<bdi class="address[^>]*>[^<]*<\/bdi>/g, '')
    // Services word their own errors.
    .replace(/<p class="error"[^>]*>.*?<\/p>|<div[^>]*role="alert"[^>]*>.*?<\/ul><\/div>/gs, '')
    .replace(/<div role="alert".*?<\/div>\n<\/div>/gs, '');
  const attributes =
    /\s(?:title|aria-label|placeholder|alt|label|data-(?:words|failed|unused|exists|offline))="([^"]*)"/g;
  return [...body.matchAll(/>([^<]+)/g), ...body.matchAll(attributes)].map(([, text]) => text!.trim());
}

describe('a page in a pseudo-language', () => {
  const pages = samples(inGreek, pseudoRightToLeft);

  test.each(pages.map(({ name, page }) => [name, page]))(
    '%s has no text outside the catalogues',
    (_, page) => {
      const foreign = textsOf(page).filter((text) => /[a-z]{2}/i.test(text.replace(data, '')));
      expect(foreign).toEqual([]);
    },
  );
});

test('a pseudo-language keeps the values, branches and tags of a message', () => {
  const words = t('rules.start-changes', { count: 3 });
  expect(pseudo.words(words)).toMatch(/^\[3 řûļéš çĥåñĝé\. Ñöŧĥîñĝ .*ö+\]$/);
  expect(pseudoRightToLeft.words(words)).toMatch(/^\[3 [\u0600-\u06ff]+ [^a-z]*ـ+\]$/);
  expect([pseudo.dir, pseudoRightToLeft.dir]).toEqual(['ltr', 'rtl']);
});
