import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanLine, cleanText, countCharacters, shorten } from './text.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        'a',
        'e',
        '\u0301',
        '\u200d',
        '\u200c',
        '\ufe0f',
        '👩',
        '🏽',
        '❤',
        'ک',
        'क',
        '्',
        ' ',
        '\r',
        '\n',
        '\u202e',
        '1',
        '\u20e3',
        '\u1100',
        '\u1161',
      ),
    )
    .map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom('a', '\u0301', '\u0323', '\u0344', '\u0f73', '\u200b', '\u200d'), {
      minLength: 40,
    })
    .map((parts) => parts.join('')),
);

describe('cleanText', () => {
  test.each([
    ['composed letters', 'e\u0301', 'é'],
    ['line ends', 'a\r\nb\rc\u2028d\u2029e\u0085f', 'a\nb\nc\nd\ne\nf'],
    ['tabs and indents', '\tone\n  two', '\tone\n  two'],
    ['controls', 'a\u0000b\u001bc\u007fd\u009be', 'abcde'],
    ['bidirectional overrides', 'user\u202etxt.exe\u2066\u2069\u200e\u061c', 'usertxt.exe'],
    ['zero-width marks', 'a\u200bb\u2060c\ufeffd\u00ade', 'abcde'],
    ['joiners between Latin letters', 'pay\u200dpal\u200c', 'paypal'],
    ['tag characters', 'hello\u{e0068}\u{e0069}', 'hello'],
    ['variation selectors as a hiding place', 'a\ufe0f\ufe01\u{e0101}b', 'ab'],
    ['Hangul fillers', '\u3164\uffa0\u115f', ''],
    ['noncharacters', 'a\ufffe\u{1ffff}\ufdd0b', 'ab'],
    ['lone surrogates', 'a\ud800b', 'a\ufffdb'],
    ['a family', '👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
    ['a heart on fire', '❤\ufe0f\u200d🔥', '❤\ufe0f\u200d🔥'],
    ['a skin tone', '👩🏽\u200d🚀', '👩🏽\u200d🚀'],
    ['a keycap', '1\ufe0f\u20e3', '1\ufe0f\u20e3'],
    ['Persian', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['Sinhala', 'ශ්\u200dරී', 'ශ්\u200dරී'],
    ['a joiner at the end of a Persian name', 'علی\u200c', 'علی'],
    ['two joiners', 'می\u200c\u200cخواهم', 'میخواهم'],
  ])('%s', (_name, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  test.each([
    ['thirty marks', `a${'\u0323'.repeat(30)}`, `\u1ea1${'\u0323'.repeat(29)}`],
    ['a pile of marks', `x${'\u0301'.repeat(500)}y`, `x${'\u0301'.repeat(30)}y`],
    ['a pile with hidden characters between', `x${'\u0301\u200b'.repeat(500)}y`, `x${'\u0301'.repeat(30)}y`],
    ['a pile of marks that fall apart', `x${'\u0344'.repeat(500)}`, `\u1e8d${'\u0301\u0308'.repeat(15)}`],
    ['Tibetan, Vietnamese and Hebrew', 'བོད་ཡིག Việt שָׁלוֹם', 'བོད་ཡིག Việt שָׁלוֹם'.normalize('NFC')],
  ])('%s', (_name, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  test.each(['\u0301\u0323', '\u0f73', '\u0650\u064b', '\u0301\u200b\u0323', '\u0344', '\u200d', '👩\u200d'])(
    'takes no more than a moment over a flood of %j',
    (flood) => {
      const text = `a${flood.repeat(60_000 / flood.length)}`;
      const { user: before } = process.cpuUsage();
      cleanLine(text);
      expect(process.cpuUsage().user - before).toBeLessThan(400_000);
    },
  );

  test('is idempotent and removes every character that it should', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const clean = cleanText(text);
        expect(cleanText(clean)).toBe(clean);
        expect(clean.normalize('NFC')).toBe(clean);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(
          // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u206f\ufeff]/u,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test('leaves ordinary text alone', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(cleanText(text)).toBe(text);
      }),
    );
  });
});

describe('cleanLine', () => {
  test.each([
    ['  two\n\twords  ', 'two words'],
    ['\u3000wide\u00a0space\u2003', 'wide space'],
    ['\u200b', ''],
    ['a\r\n\r\nb', 'a b'],
  ])('%j', (text, expected) => {
    expect(cleanLine(text)).toBe(expected);
  });

  test('returns a single line and is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = cleanLine(text);
        expect(cleanLine(line)).toBe(line);
        expect(line).toBe(line.trim());
        expect(line).not.toMatch(/[\n\r\t]| {2}/);
      }),
    );
  });
});

describe('countCharacters', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 2],
    ['😀', 1],
    ['👨\u200d👩', 3],
    ['\ud800', 1],
    ['\ud800a', 2],
    ['\udc00\ud800', 2],
  ])('%j has %d', (text, expected) => {
    expect(countCharacters(text)).toBe(expected);
  });

  test('agrees with a loop over the code points', () => {
    fc.assert(fc.property(anyText, (text) => expect(countCharacters(text)).toBe([...text].length)));
  });
});

describe('shorten', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['a longer text', 9, 'a longer…'],
    ['a longer text', 3, 'a…'],
    ['😀😀😀', 3, '😀😀😀'],
    ['😀😀😀😀', 3, '😀😀…'],
    ['x👨\u200d👩\u200d👧y', 4, 'x…'],
    ['ab', 1, '…'],
    ['ab', 0, ''],
  ])('%j to %d', (text, max, expected) => {
    expect(shorten(text, max)).toBe(expected);
  });

  test('never exceeds its bound', () => {
    fc.assert(
      fc.property(anyText, fc.nat({ max: 12 }), (text, max) => {
        expect(countCharacters(shorten(text, max))).toBeLessThanOrEqual(max);
      }),
    );
  });
});
