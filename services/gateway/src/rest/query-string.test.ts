import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseQuery } from './query-string.ts';

describe('parseQuery', () => {
  test.each([
    ['', {}],
    ['unread=true&wait=25', { unread: 'true', wait: '25' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['&&a=b=c&', { a: 'b=c' }],
    ['from=%40robin+x%2By', { from: '@robin x+y' }],
    ['t=2026-07-01T09:30:00%2B02:00', { t: '2026-07-01T09:30:00+02:00' }],
  ])('%j', (text, expected) => {
    expect({ ...parseQuery(text) }).toEqual(expected);
  });

  test('__proto__ is a name like any other', () => {
    const query = parseQuery('__proto__=x&constructor=y');
    expect(Object.keys(query)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test.each(['a=%', 'a=%zz', '%ff=1', 'a=%ED%A0%80', 'a=%C3'])('%s is malformed', (text) => {
    expect(() => parseQuery(text)).toThrow('malformed percent-encoding');
  });

  test('has a bound', () => {
    expect(
      Object.keys(parseQuery(Array.from({ length: 100 }, (_, index) => `a${index}=1`).join('&'))),
    ).toHaveLength(100);
    expect(() => parseQuery('a=1&'.repeat(100_000))).toThrow('at most 100');
  });

  test('reads what URLSearchParams writes', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 });
    const pairs = fc.array(fc.tuple(name, fc.string({ unit: 'grapheme' })), { maxLength: 20 });
    fc.assert(
      fc.property(pairs, (entries) => {
        const query = parseQuery(new URLSearchParams(entries).toString());
        for (const [key] of entries) {
          const values = entries.filter(([other]) => other === key).map(([, value]) => value);
          expect(query[key]).toEqual(values.length === 1 ? values[0] : values);
        }
      }),
    );
  });
});
