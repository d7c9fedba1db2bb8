import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { asHomeName, asReference, asTyped } from './typed.ts';

describe('a short text as typed', () => {
  test.each([
    ['123456', '123456'],
    ['１２３４５６', '123456'],
    ['١٢٣٤٥٦', '123456'],
    ['۱۲۳۴۵۶', '123456'],
    ['१२३४५६', '123456'],
    ['๑๒๓', '123'],
    ['𝟘𝟡', '09'],
    ['𞥐𞥙', '09'],
    ['\u200e42\u200f', '42'],
    [' \u3000Ada\u00a0', 'Ada'],
    ['Ａｄａ', 'Ada'],
    ['', ''],
  ])('%j is %j', (given, meant) => expect(asTyped(given)).toBe(meant));

  test('reads every decimal digit of Unicode and is idempotent', () => {
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const digit = String.fromCodePoint(point);
      if (/\p{Nd}/u.test(digit)) expect(asTyped(digit)).toMatch(/^[0-9]$/);
    }
    // Letters that only an invisible character keeps from combining.
    const apart = fc.constantFrom('e', '\u0301', '\u0323', '\u200b', 'ᄀ', 'ᅡ', ' ');
    const letter = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), apart);
    const local = fc
      .tuple(fc.constantFrom('@', '&', ''), fc.array(letter, { maxLength: 12 }))
      .map(([mark, letters]) => mark + letters.join('').replaceAll('@', ''));
    fc.assert(
      fc.property(local, (text) => {
        expect(asTyped(asTyped(text))).toBe(asTyped(text));
        expect(asReference(asReference(text))).toBe(asReference(text));
      }),
      { numRuns: 1000 },
    );
  });
});

test.each([
  ['Home.Example', 'home.example'],
  ['home.example.', 'home.example'],
  [' https://Home.Example/ ', 'home.example'],
  ['@home.example', 'home.example'],
  ['ｈｏｍｅ.example', 'home.example'],
  ['München.example', 'xn--mnchen-3ya.example'],
  ['home。example', 'home.example'],
  ['LOCALHOST:8081', 'localhost:8081'],
  ['münchen.example/x', 'münchen.example/x'],
  ['a b', 'a b'],
])('the home %j is %j', (given, meant) => expect(asHomeName(given)).toBe(meant));

test.each([
  ['@ada', '@ada'],
  [' ＠ada\n', '@ada'],
  ['＆club', '&club'],
  ['ada＠München.example', 'ada@xn--mnchen-3ya.example'],
  [` per_${'0a'.repeat(16)} `, `per_${'0a'.repeat(16)}`],
  ['＠ａｄａ．ａｉ－ｒｏｂｉｎ', '@ada.ai-robin'],
  // A group's name is text for people.
  [' Club १ ', ' Club १ '],
  ['Ｃｌｕｂ', 'Ｃｌｕｂ'],
  ['', ''],
])('the address or id %j is %j', (given, meant) => expect(asReference(given)).toBe(meant));
