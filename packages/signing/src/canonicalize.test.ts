import { describe, expect, test } from '@jest/globals';
import npmCanonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalize } from './canonicalize.ts';
import { listPublished, profileValue, readPublished } from './test-support.ts';

describe('canonicalize', () => {
  test.each(listPublished('jcs/input'))('RFC 8785 test data: %s', (name) => {
    const value: unknown = JSON.parse(readPublished(`jcs/input/${name}`));
    expect(canonicalize(value, { floats: true })).toBe(readPublished(`jcs/output/${name}`).trimEnd());
  });

  test('writes numbers as RFC 8785 appendix B does', () => {
    const write = (bits: string) => canonicalize(Buffer.from(bits, 'hex').readDoubleBE(), { floats: true });
    expect(write('0000000000000000')).toBe('0');
    expect(write('8000000000000000')).toBe('0');
    expect(write('0000000000000001')).toBe('5e-324');
    expect(write('7fefffffffffffff')).toBe('1.7976931348623157e+308');
    expect(write('4340000000000000')).toBe('9007199254740992');
    expect(write('4430000000000000')).toBe('295147905179352830000');
    expect(write('44b52d02c7e14af5')).toBe('9.999999999999997e+22');
    expect(write('44b52d02c7e14af6')).toBe('1e+23');
    expect(write('3eb0c6f7a0b5ed8d')).toBe('0.000001');
    expect(write('becbf647612f3696')).toBe('-0.0000033333333333333333');
  });

  test('agrees with the reference implementation on every value of the profile', () => {
    fc.assert(
      fc.property(profileValue, (value) => {
        const text = canonicalize(value);
        expect(text).toBe(npmCanonicalize(value));
        expect(canonicalize(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test('agrees with the reference implementation on floats when they are allowed', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(canonicalize([value], { floats: true })).toBe(npmCanonicalize([value]));
      }),
    );
  });

  test('leaves undefined members out, as JSON.stringify does', () => {
    expect(canonicalize({ b: undefined, a: 1 })).toBe('{"a":1}');
  });

  test.each<[string, unknown, string]>([
    ['a float', { a: [1, { b: 0.5 }] }, '$.a[1].b: only integers'],
    ['an integer beyond 2^53-1', { a: 2 ** 53 }, '$.a: only integers'],
    ['NaN', [Number.NaN], '$[0]: NaN'],
    ['infinity', Number.NEGATIVE_INFINITY, '$: -Infinity'],
    ['a lone surrogate', { a: 'x\ud800' }, '$.a: a surrogate'],
    ['a lone surrogate in a name', { '\udc00': 1 }, 'a surrogate'],
    ['undefined in an array', [undefined], '$[0]: a value of type undefined'],
    ['a bigint', { a: 1n }, '$.a: a value of type bigint'],
    ['a function', { a: () => 1 }, '$.a: a value of type function'],
    ['a Date', { a: new Date(0) }, '$.a: only plain objects'],
    ['a Map', new Map(), '$: only plain objects'],
    ['a sparse array', { a: new Array(1) }, '$.a[0]'],
  ])('refuses %s and reports its path', (_name, value, words) => {
    expect(() => canonicalize(value)).toThrow(words);
    expect(() => canonicalize(value)).toThrow(expect.objectContaining({ kind: 'bad_request' }));
  });

  test('accepts 32 levels, and refuses 33 levels and a cycle', () => {
    const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
    expect(canonicalize(nested(32))).toHaveLength(64);
    expect(() => canonicalize(nested(33))).toThrow('nested deeper than 32');
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(() => canonicalize(circle)).toThrow('nested deeper than 32');
  });
});
