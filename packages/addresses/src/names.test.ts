import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aiNameToSlug, isAiSlug, numberSlug } from './ai-name.ts';
import { checkHandle, handleRules, isFreeHandle, isHandle, isReservedHandle } from './handle.ts';

describe('a handle chosen by a person', () => {
  test.each(['ana', 'ana-b', 'a1b', '007', 'a--b', 'a'.repeat(30)])('%s can be taken', (text) => {
    expect(checkHandle(text)).toBeNull();
    expect(isHandle(text)).toBe(true);
  });

  test.each([
    ['an', '3 to 30 characters'],
    ['', '3 to 30 characters'],
    ['a'.repeat(31), '3 to 30 characters'],
    ['Ana', 'lower-case letters'],
    ['ána', 'lower-case letters'],
    ['ana.b', 'lower-case letters'],
    ['ana b', 'lower-case letters'],
    ['ana\n', 'lower-case letters'],
    ['-ana', 'must begin and end'],
    ['ana-', 'must begin and end'],
    ['admin', 'is reserved'],
    ['home', 'is reserved'],
    ['free-a1b2c3', 'is reserved'],
    ['no-reply', 'is reserved'],
  ])('%j cannot: %s', (text, words) => {
    expect(checkHandle(text)).toContain(words);
  });

  test('is distinguished from the handles that the home generates', () => {
    expect(isFreeHandle('free-a1b2c3')).toBe(true);
    expect(isFreeHandle('freedom')).toBe(false);
    expect(isFreeHandle('free-A')).toBe(false);
    expect(isReservedHandle('freedom')).toBe(false);
    expect(isHandle('free-a1b2c3')).toBe(true);
  });

  test('is accepted exactly when it matches the published pattern', () => {
    const rule = new RegExp(handleRules.pattern);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9-]{1,32}$/)), (text) => {
        expect(isHandle(text)).toBe(rule.test(text) && !text.includes('\n'));
        if (checkHandle(text) === null) expect(isHandle(text)).toBe(true);
      }),
    );
  });
});

describe('the address part of an AI', () => {
  test.each([
    ['Helper', 'helper'],
    ['Émile Zola II', 'emile-zola-ii'],
    ['  Ana’s  Helper!! ', 'anas-helper'],
    ['Straßenbahn Ørsted Łódź', 'strassenbahn-orsted-lodz'],
    ['İstanbul', 'istanbul'],
    ['ＦＵＬＬ ｗｉｄｔｈ ①', 'full-width-1'],
    ['GPT-4o_mini', 'gpt-4o-mini'],
    ['小明', 'ai'],
    ['🤖', 'ai'],
    ['---', 'ai'],
    ['', 'ai'],
    ['\ud800', 'ai'],
    ['a'.repeat(40), 'a'.repeat(30)],
    [`${'a'.repeat(29)} b`, 'a'.repeat(29)],
  ])('of %j is %s', (name, slug) => {
    expect(aiNameToSlug(name)).toBe(slug);
  });

  test('of any name is valid and yields itself', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })),
        (name) => {
          const slug = aiNameToSlug(name);
          expect(isAiSlug(slug)).toBe(true);
          expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
          expect(aiNameToSlug(slug)).toBe(slug);
        },
      ),
    );
  });

  test('with a number stays within its maximum length', () => {
    expect(numberSlug('helper', 2)).toBe('helper-2');
    expect(numberSlug('a'.repeat(30), 12)).toBe(`${'a'.repeat(27)}-12`);
    expect(numberSlug(`${'a'.repeat(27)}-bc`, 2)).toBe(`${'a'.repeat(27)}-2`);
  });
});
