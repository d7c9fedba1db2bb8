import { describe, expect, test } from '@jest/globals';
import { isAway, notAway, readAway, sameAway } from './away.ts';

const limits = { days: 90, noteCharacters: 140 };
const now = new Date('2026-03-01T12:00:00.000Z');
const inDays = (days: number, milliseconds = 0) => new Date(now.getTime() + days * 86_400_000 + milliseconds);

describe('being away', () => {
  test.each([[inDays(0, 1)], [inDays(90)]])('until %s is accepted', (until) => {
    expect(readAway(until, ' on\nleave ', limits, now)).toEqual({ awayUntil: until, awayNote: 'on leave' });
  });

  test.each([
    [inDays(0), undefined, /until: must lie in the future/],
    [inDays(-1), undefined, /until: must lie in the future/],
    [new Date(Number.NaN), undefined, /until: must lie in the future/],
    [inDays(90, 1), undefined, /until: must be at most 90 days ahead/],
    [inDays(1), 'x'.repeat(141), /note: must have at most 140/],
    [null, 'gone', /note: belongs to an until/],
  ])('until %s with the note %j is refused', (until, note, words) => {
    expect(() => readAway(until, note, limits, now)).toThrow(words);
  });

  test('is limited by settings of the home', () => {
    const short = { days: 2, noteCharacters: 3 };
    expect(readAway(inDays(2), 'abc', short, now).awayNote).toBe('abc');
    expect(() => readAway(inDays(2, 1), '', short, now)).toThrow(/at most 2 days ahead/);
    expect(() => readAway(inDays(2), 'abcd', short, now)).toThrow(/at most 3 characters/);
  });

  test('without an end lasts until it is ended', () => {
    expect(readAway(null, undefined, limits, now)).toEqual(notAway);
    expect(readAway(null, ' ', limits, now)).toEqual(notAway);
  });

  test('it ends by itself', () => {
    const state = readAway(inDays(1), '', limits, now);
    expect(isAway(state, inDays(1, -1))).toBe(true);
    expect(isAway(state, inDays(1))).toBe(false);
    expect(isAway(notAway, now)).toBe(false);
  });

  test('that has ended equals never having been away', () => {
    const state = readAway(inDays(1), 'note', limits, now);
    expect(sameAway(state, notAway, now)).toBe(false);
    expect(sameAway(state, notAway, inDays(2))).toBe(true);
    expect(sameAway(state, { ...state, awayUntil: new Date(state.awayUntil!) }, now)).toBe(true);
    expect(sameAway(state, { ...state, awayNote: 'other' }, now)).toBe(false);
    expect(sameAway(state, { ...state, awayUntil: inDays(3) }, inDays(2))).toBe(false);
  });
});
