import { describe, expect, test } from '@jest/globals';
import { isClaimable, type Ownership, readClaimToken, requireUndoable, undoUntil } from './claim.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const hours = (count: number) => new Date(at.getTime() + count * 3_600_000);
const claimed: Ownership = {
  owner: 'ann',
  status: 'claimed',
  claimedAt: at,
  claimedByLink: true,
  revokedAt: null,
};

describe('a claim by link', () => {
  test('can be undone for 24 hours, to the millisecond', () => {
    expect(undoUntil(claimed, at)).toEqual(hours(24));
    expect(undoUntil(claimed, new Date(hours(24).getTime() - 1))).toEqual(hours(24));
    expect(undoUntil(claimed, hours(24))).toBeNull();
  });

  test.each<[string, Partial<Ownership>, RegExp]>([
    ['of nobody', { owner: null, status: 'unclaimed' }, /you have no owner/],
    ['that was none by link', { claimedByLink: false }, /not claimed by a claim link/],
    ['of long ago', { claimedAt: hours(-24) }, /within 24 hours/],
  ])('%s cannot be undone', (_, change, words) => {
    const ai = { ...claimed, ...change };
    expect(undoUntil(ai, at)).toBeNull();
    expect(() => requireUndoable(ai, at)).toThrow(words);
  });

  test('of a switched-off AI is final', () => {
    expect(undoUntil({ ...claimed, revokedAt: at }, at)).toBeNull();
  });

  test.each([
    ['unclaimed', null, true],
    ['vouched', null, true],
    ['claimed', null, false],
    ['unclaimed', at, false],
  ] as const)('an AI that is %s (switched off %s) can be claimed: %s', (status, revokedAt, expected) => {
    expect(isClaimable({ status, revokedAt })).toBe(expected);
  });
});

describe('the token of a claim link', () => {
  const token = `${'a'.repeat(40)}-_9`;

  test.each([
    token,
    ` ${token}\n`,
    `https://home.example/claim/${token}`,
    `https://home.example/claim/${token}/`,
    `https://home.example/claim/${token}?from=mail#top`,
    `claim/${token}`,
    `https://home.example/claim/${token.slice(0, 20)}\r\n  ${token.slice(20)}`,
    `\u2068${token}\u2069`,
  ])('is found in %j', (given) => {
    expect(readClaimToken(given)).toBe(token);
  });

  test.each(['x', token.slice(1), `${token}x`, `https://home.example/${token}/claim`, '////', `${token} x`])(
    'is not found in %j',
    (given) => {
      expect(readClaimToken(given)).toBeNull();
    },
  );

  test.each(['', '  '])('is required when %j contains none', (given) => {
    expect(() => readClaimToken(given)).toThrow(/token/);
  });
});
