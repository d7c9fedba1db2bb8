import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readAbout } from './note-about.ts';

const homeNames = { ownHome: 'hearth.example' };

describe('the subject of a note', () => {
  test.each([
    ['', ''],
    ['   ', ''],
    ['@ada', '@ada'],
    ['@Ada.ai-Robin', '@ada.ai-robin'],
    ['&book-club', '&book-club'],
    ['ada@hearth.example', '@ada'],
    ['ada@other.example', 'ada@other.example'],
    ['@ada@other.example', 'ada@other.example'],
    ['17', '17'],
    ['r:other.example:17', 'r:other.example:17'],
    [' Budget ', 'budget'],
    ['Größe', 'größe'],
    ['été', 'été'],
    ['予算', '予算'],
    ['2026-plan_b', '2026-plan_b'],
    ['x'.repeat(40), 'x'.repeat(40)],
  ])('%j is %j', (given, about) => {
    expect(readAbout(given, homeNames)).toBe(about);
  });

  test.each([
    'two words',
    'x'.repeat(41),
    '@',
    '&x',
    '-',
    '_a',
    'a@b',
    "'; drop table notes",
    '@ada!',
    '#tag',
  ])('%j is refused', (given) => {
    expect(() => readAbout(given, homeNames)).toThrow(
      'about: must be an address, a &group, the id of a decision, or one word',
    );
  });

  test('is normalized idempotently', () => {
    const given = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.stringMatching(/^[@&]?[a-z.-]{1,20}$/),
    );
    fc.assert(
      fc.property(given, (text) => {
        let about: string;
        try {
          about = readAbout(text, homeNames);
        } catch {
          return;
        }
        expect(readAbout(about, homeNames)).toBe(about);
      }),
    );
  });
});
