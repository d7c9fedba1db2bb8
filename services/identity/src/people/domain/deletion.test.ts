import { CallerKind } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import { canBeTakenBack, checkConfirm, deletesAt, heir, requireFreshSignIn } from './deletion.ts';

const now = new Date('2026-03-01T12:00:00Z');
const minute = 60_000;

test.each([
  ['ann', true],
  ['@ann', true],
  [' @ANN ', true],
  ['anne', false],
  ['', false],
  ['@@ann', false],
])('%j confirms @ann: %s', (confirm, right) => {
  const check = () => checkConfirm(confirm, 'ann');
  if (right) expect(check).not.toThrow();
  else expect(check).toThrow('confirm: must be the handle');
});

describe('a fresh sign-in', () => {
  const caller = (ago: number | null, more = {}) => ({
    kind: CallerKind.PERSON,
    app: '',
    guest: false,
    authenticatedAt: ago === null ? 0n : BigInt(now.getTime() - ago),
    ...more,
  });

  test.each([
    [caller(0), true],
    [caller(10 * minute), true],
    [caller(10 * minute + 1), false],
    [caller(null), false],
    [caller(null, { guest: true }), true],
    [caller(null, { app: 'app' }), true],
    [caller(null, { kind: CallerKind.AI, guest: true }), false],
  ])('%#', (given, fresh) => {
    const check = () => requireFreshSignIn(given, now.getTime());
    if (fresh) expect(check).not.toThrow();
    else expect(check).toThrow('sign in again first');
  });
});

test('an account is deleted after its grace period, and can be kept until then', () => {
  const at = deletesAt(now, 7);
  expect(at.toISOString()).toBe('2026-03-08T12:00:00.000Z');
  expect(canBeTakenBack(at, new Date(at.getTime() - 1))).toBe(true);
  expect(canBeTakenBack(at, at)).toBe(false);
});

test('the second guardian succeeds the deleted one', () => {
  expect(heir(['a', 'b'], 'a')).toBe('b');
  expect(heir(['a', 'b'], 'b')).toBe('a');
  expect(heir(['a'], 'a')).toBeNull();
});
