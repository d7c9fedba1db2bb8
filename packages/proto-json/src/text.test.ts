import * as addresses from '@hearth/addresses';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanLine, cleanLines, hasControlCharacters } from './text.ts';

const someText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\n', '\t', '\r\n', '\u200b', 'e\u0301', '\u{1f469}\u200d\u{1f467}'),
  }),
);

test('text is cleaned as in the rest of the home', () => {
  fc.assert(
    fc.property(someText, (text) => {
      expect(cleanLine(text)).toBe(addresses.cleanLine(text));
      const lines = addresses.cleanText(text);
      expect(cleanLines(text)).toBe(lines.trim() === '' ? '' : lines);
    }),
    { numRuns: 1_000 },
  );
});

describe('a line', () => {
  test('is trimmed and in NFC, with single spaces', () => {
    expect(cleanLine('  Rene\u0301 \t\n de  la\u2028Cruz\u202e \u00a0')).toBe('Ren\u00e9 de la Cruz');
    expect(cleanLine(' a   b ')).toBe('a b');
  });
});

describe('lines', () => {
  test('keep line breaks, tabs and indentation, with normalized line endings', () => {
    expect(cleanLines('  a\r\n\tb\u200b\rc\n')).toBe('  a\n\tb\nc\n');
  });

  test('that contain only white space are empty', () => {
    expect(cleanLines(' \n\t \u200b\u3000')).toBe('');
    expect(cleanLines(' \n')).toBe('');
  });
});

test.each([
  ['on one letter', '\u0301\u0323'],
  ['with what is taken out between them', '\u0301\u200b\u0323\u0007'],
  ['with noncharacters between them', '\u0301\ufdd0\u0323\u{e0041}'],
])('a flood of marks %s costs little time and space', (_, flood) => {
  const text = `a${flood.repeat(100_000)}b`;
  const start = process.cpuUsage();
  expect(cleanLine(text).length).toBeLessThan(33);
  expect(cleanLines(text)).toBe(cleanLine(text));
  // Sorting them would take a quarter of a minute.
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(3_000);
});

test('a few marks and many line breaks are kept', () => {
  const text = `${'q\u0323\u0307'.repeat(50)}${'\n'.repeat(50)}\u00e9`;
  expect(cleanLines(text)).toBe(text);
});

test('control characters are found', () => {
  for (const text of ['\n', 'a\u0000', '\u007f', '\u009f']) expect(hasControlCharacters(text)).toBe(true);
  for (const text of ['', ' ~', '\u00a0\u00e4']) expect(hasControlCharacters(text)).toBe(false);
});
