import { isCanonicalAddress, isFreeHandle, parseAddress } from '@hearth/addresses';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { freeAddress } from './free-address.ts';

describe('a free address', () => {
  test('consists of the random bytes and the name', () => {
    expect(freeAddress('Robin the Planner', () => Uint8Array.of(0, 25, 26, 35, 36, 251))).toBe(
      '@free-az09a9.ai-robin-the-planner',
    );
  });

  test('rejects bytes that would bias letters, and draws again', () => {
    const draws = [Uint8Array.of(252, 253, 254, 255, 1, 2), Uint8Array.of(3, 255, 4, 5, 6, 7)];
    expect(freeAddress('Robin', () => draws.shift()!)).toBe('@free-bcdefg.ai-robin');
  });

  test('is canonical for any name', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.uint8Array({ minLength: 6, maxLength: 6, max: 251 }),
        (name, bytes) => {
          const address = freeAddress(name, () => bytes);
          expect(isCanonicalAddress(address)).toBe(true);
          expect(isFreeHandle(parseAddress(address)!.handle)).toBe(true);
          expect(parseAddress(address)!.handle).toMatch(/^free-[a-z0-9]{6}$/);
        },
      ),
      { numRuns: 300 },
    );
  });
});
