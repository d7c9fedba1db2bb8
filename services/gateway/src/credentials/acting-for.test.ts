import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readActingFor } from './acting-for.ts';

const hex = '0190a1b2c3d47e5f8a9b0c1d2e3f4a5b';

describe('Svc-Acting-For', () => {
  test.each([`per_${hex}`, `ai_${hex}`])('names %s', (id) => {
    expect(readActingFor(id)).toBe(id);
  });

  test('is empty if the header is missing', () => {
    expect(readActingFor(undefined)).toBe('');
  });

  test.each([
    '',
    'me',
    '@ada',
    hex,
    `shp_${hex}`,
    `app_${hex}`,
    `grp_${hex}`,
    `per_${hex.toUpperCase()}`,
    `per_${hex.slice(1)}`,
    `per_${hex}0`,
    `per_${hex} `,
    `per_${hex}, per_${hex}`,
    `per_${hex},ai_${hex}`,
  ])('is refused as %j', (text) => {
    expect(() => readActingFor(text)).toThrow(/^Svc-Acting-For: must be one id/);
  });

  test('accepts only ids of people and AIs', () => {
    const nearly = fc
      .tuple(fc.constantFrom('per_', 'ai_', 'per', 'shp_', ''), fc.string({ maxLength: 40 }))
      .map((parts) => parts.join(''));
    const digits = fc.string({
      unit: fc.constantFrom(...'0123456789abcdefABCDEF'),
      minLength: 30,
      maxLength: 34,
    });
    const close = fc.tuple(fc.constantFrom('per_', 'ai_', 'Per_'), digits).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(nearly, close, fc.array(close)), (given) => {
        const isId = typeof given === 'string' && /^(?:per|ai)_[0-9a-f]{32}$/.test(given);
        if (isId) expect(readActingFor(given)).toBe(given);
        else expect(() => readActingFor(given)).toThrow();
      }),
    );
  });
});
