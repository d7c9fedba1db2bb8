import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { homePrefix } from './streams.ts';
import { checkFilter, checkSubject, matches } from './subjects.ts';

describe('a filter', () => {
  test.each([
    ['message.sent', 'message.sent', true],
    ['message.sent', 'message', false],
    ['message.sent', 'message.sent.late', false],
    ['message.*', 'message.sent', true],
    ['message.*', 'message', false],
    ['message.*', 'message.sent.late', false],
    ['*.sent', 'message.sent', true],
    ['*', 'message', true],
    ['*', 'message.sent', false],
    ['message.>', 'message.sent', true],
    ['message.>', 'message.sent.late', true],
    ['message.>', 'message', false],
    ['>', 'message', true],
    ['>', 'message.sent.late', true],
    ['*.>', 'message', false],
  ])('%s on %s: %s', (filter, subject, expected) => {
    expect(matches(filter, subject)).toBe(expected);
  });

  test('accepts valid subjects and refuses the rest', () => {
    for (const filter of ['a', 'a.b-c_D=1', '*', '>', 'a.*.b', 'a.>'])
      expect(() => checkFilter(filter)).not.toThrow();
    for (const filter of ['', '.', 'a.', '>.a', 'a b', 'a.**', 'a\n'])
      expect(() => checkFilter(filter)).toThrow();
    expect(() => checkSubject('a.*')).toThrow('"a.*" is no bus subject');
  });
});

describe("a home's prefix", () => {
  test('is readable for ordinary names', () => {
    expect(homePrefix('home.example')).toBe('home_example');
    expect(homePrefix('localhost:8081')).toBe('localhost=3a=8081');
  });

  test('is a single token, different for every name', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.stringMatching(/^[a-b._=:3-]{1,8}$/),
    );
    fc.assert(
      fc.property(names, names, (one, other) => {
        expect(() => checkSubject(homePrefix(one))).not.toThrow();
        expect(homePrefix(one) === homePrefix(other)).toBe(one === other);
      }),
      { numRuns: 2_000 },
    );
  });
});
