import { english } from '@hearth/i18n';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { oneLine, othersText, plainText } from './others-text.ts';

describe('a text that another person chose', () => {
  test('is isolated from the text direction around it', () => {
    expect(othersText('شَهرَزاد').in(english)).toBe('<bdi class="theirs">شَهرَزاد</bdi>');
  });

  test('cannot turn the text around it, hide, or start a new line', () => {
    expect(oneLine('Ada\u202egnp.exe\u2066')).toBe('Adagnp.exe');
    expect(oneLine('Ad\u200ba\u00ad\ufeff')).toBe('Ada');
    expect(oneLine(' Ada\r\n\u2028Approve:\tyes\u0000 ')).toBe('Ada Approve: yes');
  });

  test('keeps joiners that scripts and emoji need', () => {
    for (const text of ['نامه\u200cها', '👩\u200d👩\u200d👧', 'Ångström', '👍🏽'])
      expect(oneLine(text)).toBe(text.normalize('NFC'));
  });

  test('is cut between graphemes', () => {
    expect(oneLine('👩‍👩‍👧👍🏽é!', 3)).toBe('👩‍👩‍👧👍🏽é…');
    expect(oneLine('abc', 3)).toBe('abc');
  });

  test('with nothing visible says so', () => {
    for (const text of ['', '   ', '\u202e\u200b', '\n'])
      expect(english.words(plainText(text))).toBe('(empty)');
  });

  test('is bounded, on one line and without control characters, for any text', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({
        unit: fc.constantFrom('a', '\u0301', '\u202e', '\u200d', '\ud800', '\n', '👩'),
        maxLength: 300,
      }),
    );
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 30 }), (text, shown) => {
        const plain = english.words(plainText(text, shown));
        expect([...plain].length).toBeLessThanOrEqual(Math.max(shown * 8 + 1, '(empty)'.length));
        expect(plain).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+$/u);
        expect(plain.isWellFormed()).toBe(true);
      }),
    );
  });
});
