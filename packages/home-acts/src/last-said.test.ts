import { describe, expect, test } from '@jest/globals';
import { lastSaid } from './last-said.ts';

const given = (...all: [string, number | null][]) => all.map(([value, status]) => ({ value, status }));

describe('the answer that stands among several acts of one person', () => {
  test.each([
    ['the one that was taken', given(['a', 200]), ['a'], 'a'],
    ['not a refused one', given(['a', 200], ['b', 409]), ['a'], 'a'],
    ['never one from before the last that was taken', given(['a', 200], ['b', 201]), ['b'], 'b'],
    ['also one on its way', given(['a', 200], ['b', null]), ['a', 'b'], 'a'],
    [
      'also one that may have been carried out',
      given(['a', 200], ['b', 0], ['c', 503]),
      ['a', 'b', 'c'],
      'a',
    ],
    ['the one taken after a refusal', given(['a', 200], ['b', 409], ['c', null]), ['a', 'c'], 'a'],
    ['the last where none was taken', given(['a', 409], ['b', 409]), ['b'], 'b'],
    ['all on their way', given(['a', null], ['b', null]), ['a', 'b'], 'b'],
  ])('%s', (_, all, allowed, shown) => {
    expect(lastSaid(all)).toEqual({ allowed, shown });
  });

  test('without acts there is none', () => {
    expect(lastSaid([])).toBeNull();
  });
});
