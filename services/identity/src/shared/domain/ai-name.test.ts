import { aiNameToSlug, countCharacters, isAiSlug } from '@hearth/addresses';
import { isHearthError } from '@hearth/errors';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readName } from './ai-name.ts';

describe('the name chosen for an AI', () => {
  test.each([
    ['Robin', 'Robin'],
    ['  Robin\tthe  planner ', 'Robin the planner'],
    ['Ro\u200bbin\u202e', 'Robin'],
    ['ロビン', 'ロビン'],
    ['Robin.ai', 'Robin.ai'],
    ['Test', 'Test'],
    ['😀'.repeat(40), '😀'.repeat(40)],
    ['Hearthstone fan', 'Hearthstone fan'],
    ['Support bot of Ann', 'Support bot of Ann'],
  ])('%j is stored as %j', (given, expected) => {
    expect(readName(given, 40)).toBe(expected);
  });

  test.each([
    ['', /at least one visible character/],
    ['   ', /at least one visible character/],
    ['\u200b\u202e\u0000', /at least one visible character/],
    ['x'.repeat(41), /at most 40 characters/],
    ['😀'.repeat(41), /at most 40 characters/],
    ['@robin', /an address or a link/],
    ['write to ann@example.org', /an address or a link/],
    ['https://evil', /an address or a link/],
    ['Admin', /reserved/],
    ['  ADMIN ', /reserved/],
    ['Ａdmin', /reserved/],
    ['Hearth', /reserved/],
    ['Hearth Support', /reserved/],
    ['The Hearth', /reserved/],
  ])('%j is refused with a message', (given, words) => {
    expect(() => readName(given, 40)).toThrow(words);
    expect(() => readName(given, 40)).toThrow(expect.objectContaining({ kind: 'bad_request' }));
  });

  test('an accepted name is always clean, short and usable in an address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (given) => {
        let name: string;
        try {
          name = readName(given, 40);
        } catch (error) {
          expect(isHearthError(error) && error.kind).toBe('bad_request');
          return;
        }
        expect(readName(name, 40)).toBe(name);
        expect(countCharacters(name)).toBeLessThanOrEqual(40);
        expect(name.isWellFormed()).toBe(true);
        expect(isAiSlug(aiNameToSlug(name))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
