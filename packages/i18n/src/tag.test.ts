import { expect, test } from '@jest/globals';
import { readTag } from './tag.ts';

test.each([
  ['de', 'de'],
  ['DE', 'de'],
  [' pt_br ', 'pt-BR'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['de-ch-1901', 'de-CH-1901'],
  ['iw', 'he'],
  ['de-u-co-phonebk', 'de'],
  ['gsw', 'gsw'],
])('%j is the language %s', (text, tag) => {
  expect(readTag(text)).toBe(tag);
});

test.each(['', 'german', 'Deutsch', 'und', 'x-klingon', 'd', 'de--ch', 'de,en', 'de;q=1', '12', '*'])(
  '%j is not a language',
  (text) => {
    expect(readTag(text)).toBeNull();
  },
);
