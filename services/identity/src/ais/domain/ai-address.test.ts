import { isCanonicalAddress } from '@hearth/addresses';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { groupAiAddress, ownAddresses, suits } from './ai-address.ts';

describe('addresses of a person’s AI', () => {
  test('start with the plain one and continue with numbers', () => {
    expect(ownAddresses('ann', 'My Helper', 3)).toEqual([
      '@ann.ai-my-helper',
      '@ann.ai-my-helper-2',
      '@ann.ai-my-helper-3',
    ]);
  });

  test('are valid, distinct, and match the name, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (name) => {
        const addresses = ownAddresses('ann-lee', name, 120);
        expect(new Set(addresses).size).toBe(120);
        for (const address of addresses) {
          expect(isCanonicalAddress(address)).toBe(true);
          expect(suits(address, 'ann-lee', name)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['@ann.ai-helper', 'ann', 'Other', false],
    ['@ann.ai-helper-2', 'ann', 'Helper', true],
    ['@ann.ai-helper-1', 'ann', 'Helper', false],
    ['@ann.ai-helper-02', 'ann', 'Helper', false],
    ['@bob.ai-helper', 'ann', 'Helper', false],
    ['@ann.ai-room-101', 'ann', 'Room 101', true],
    ['@free-abcdef.ai-helper', 'ann', 'Helper', false],
  ])('%s of %s named %s: suits %s', (address, handle, name, expected) => {
    expect(suits(address, handle, name)).toBe(expected);
  });
});

test('the address of a group’s AI is under the group', () => {
  expect(groupAiAddress('book-club')).toBe('&book-club.ai-group');
});
