import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { base62Of } from './base62.ts';

describe('a link key', () => {
  test('has 22 letters and digits, unique per input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(base62Of(bytes, 22)).toMatch(/^[0-9A-Za-z]{22}$/);
      }),
    );
    expect(base62Of(Buffer.alloc(32), 22)).toBe('0'.repeat(22));
    expect(base62Of(Buffer.from(`${'00'.repeat(31)}3e`, 'hex'), 3)).toBe('010');
  });
});
