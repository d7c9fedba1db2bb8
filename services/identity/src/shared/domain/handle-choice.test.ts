import { checkHandle } from '@hearth/addresses';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  checkHandleChange,
  drawnHandle,
  handleBase,
  handleCandidates,
  handleTaken,
  readHandle,
} from './handle-choice.ts';

const day = 86_400_000;

describe('a handle derived from a name', () => {
  test.each([
    ['Ada Lovelace', 'ada-lovelace', 'ada'],
    ['Zoë', 'zoe', 'zoe'],
    ['李小龙', 'person', 'person'],
    ['Jo', 'person-jo', 'person-jo'],
    ['Admin', 'person-admin', 'person-admin'],
    ['Free-abcdef', 'person-free-abcdef', 'person-free-abcdef'],
    ['', 'person', 'person'],
  ])('%j: %s, and of a child %s', (name, whole, ofChild) => {
    expect(handleBase(name, false)).toBe(whole);
    expect(handleBase(name, true)).toBe(ofChild);
  });

  test('is valid for any name, and so are its alternatives', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.boolean(), (name, minor) => {
        const base = handleBase(name, minor);
        expect(checkHandle(base)).toBeNull();
        const candidates = handleCandidates(base);
        expect(candidates[0]).toBe(base);
        expect(candidates.length).toBe(20);
        expect(new Set(candidates).size).toBe(20);
        for (const handle of [...candidates, drawnHandle(base, '012345')])
          expect(checkHandle(handle)).toBeNull();
      }),
    );
  });

  test('of a child contains only the first word', () => {
    expect(handleBase('Ada Lovelace King', true)).toBe('ada');
  });
});

test.each(['Ann', ' @ann ', 'ＡＮＮ', '\u200bann'])('%j is the handle ann', (typed) => {
  expect(readHandle(typed)).toBe('ann');
});

test.each(['ab', 'x'.repeat(31), 'änn', 'a_b', '-ann', 'ann-', 'operator', 'free-abcdef', ''])(
  '%j cannot be chosen',
  (handle) => {
    expect(() => readHandle(handle)).toThrow(/^handle: /);
  },
);

test.each(['operator', 'free-abcdef'])('%s is reserved, and the error says so', (handle) => {
  const details = { code: 'bad_field', field: 'handle', rule: 'reserved' };
  expect(() => readHandle(handle)).toThrow(expect.objectContaining({ details }));
});

test('a taken handle is reported as taken', () => {
  expect(handleTaken('ann')).toMatchObject({
    message: 'handle: "ann" is taken; choose another',
    details: { rule: 'taken' },
  });
});

test('a handle can change once within a number of days', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const ago = (ms: number) => new Date(now.getTime() - ms);
  expect(() => checkHandleChange(null, 30, now)).not.toThrow();
  expect(() => checkHandleChange(ago(30 * day), 30, now)).not.toThrow();
  expect(() => checkHandleChange(ago(30 * day - 1), 30, now)).toThrow(
    'again from 2026-03-01T12:00:00.001Z on',
  );
});
