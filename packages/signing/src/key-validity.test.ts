import { describe, expect, test } from '@jest/globals';
import { keyProblemAt, type ListedKey, parseInstant } from './key-validity.ts';
import { exportPublicJwk, keyPairFromSeed } from './keys.ts';
import { signRecord } from './sign-record.ts';
import { verifyRecord } from './verify-record.ts';

const pair = keyPairFromSeed(new Uint8Array(32).fill(3));
const jwk = exportPublicJwk(pair);
const noon = Date.parse('2026-01-02T12:00:00Z');
const before = '2026-01-02T11:59:59Z';
const exactly = '2026-01-02T12:00:00Z';
const after = '2026-01-02T12:00:01Z';

describe('a key at noon', () => {
  test.each<[string, Partial<ListedKey>, string | null]>([
    ['without times', {}, null],
    ['from before', { not_before: before }, null],
    ['from noon itself', { not_before: exactly }, null],
    ['from after', { not_before: after }, 'not valid yet'],
    ['until after', { not_after: after }, null],
    ['until noon itself', { not_after: exactly }, 'not valid any more'],
    ['until before', { not_after: before }, 'not valid any more'],
    ['of a card, from after', { from: after }, 'not valid yet'],
    ['of a card, until before', { until: before }, 'not valid any more'],
    ['with times that are null', { not_before: null, not_after: null, revoked_at: null }, null],
    ['with a time that is none', { not_after: 'soon' }, 'cannot be read'],
    ['next, from after', { status: 'next', not_before: after }, 'not valid yet'],
    ['retired after', { status: 'retired', not_after: after }, null],
    ['retired before', { status: 'retired', not_after: before }, 'not valid any more'],
    ['retired at no known time', { status: 'retired' }, 'its end is not listed'],
    ['revoked after', { status: 'revoked', revoked_at: after }, 'was revoked'],
    ['revoked at no known time', { status: 'revoked' }, 'was revoked'],
    ['revoked without the status', { status: 'active', revoked_at: before }, 'was revoked'],
  ])('%s', (_name, listed, words) => {
    const problem = keyProblemAt({ ...jwk, ...listed }, noon, false);
    if (words === null) expect(problem).toBeNull();
    else expect(problem).toContain(words);
  });

  test('that was revoked counts before its revocation only when the caller says so', () => {
    const revoked = { ...jwk, status: 'revoked', revoked_at: after } as const;
    expect(keyProblemAt(revoked, noon, true)).toBeNull();
    expect(keyProblemAt({ ...revoked, revoked_at: exactly }, noon, true)).toContain('was revoked');
    expect(keyProblemAt({ ...revoked, revoked_at: null }, noon, true)).toContain('was revoked');
    expect(keyProblemAt(revoked, null, true)).toContain('was revoked');
  });

  test('is not asked about its times when time is left aside', () => {
    expect(keyProblemAt({ ...jwk, not_after: before }, null, false)).toBeNull();
  });
});

describe('verifyRecord and time', () => {
  const signed = signRecord({ issued_at: exactly }, { key: pair, typ: 'svc-record+jws' });
  const findKey = (): ListedKey => ({ ...jwk, not_before: exactly, not_after: after });
  const verify = (object: object, at?: Date | string | null) =>
    verifyRecord(object, { expectedType: 'svc-record+jws', findKey, at });

  test('takes issued_at of the object unless told another moment', () => {
    expect(verify(signed).valid).toBe(true);
    expect(verify(signed, before).problems).toEqual(['the key was not valid yet when this was issued']);
    expect(verify(signed, new Date(after)).problems).toEqual([
      'the key was not valid any more when this was issued',
    ]);
    expect(verify(signed, null).valid).toBe(true);
    expect(verify(signed, new Date(Number.NaN)).valid).toBe(false);
  });

  test('refuses an issued_at that is no time', () => {
    for (const issued_at of ['yesterday', 5, null, '2026-01-02', '2026-01-02T12:00:00+01:00']) {
      const strange = signRecord({ issued_at }, { key: pair, typ: 'svc-record+jws' });
      expect(verify(strange).problems).toEqual([expect.stringContaining('must be an ISO 8601 time')]);
    }
  });

  test('leaves time aside for an object without issued_at', () => {
    expect(verify(signRecord({ a: 1 }, { key: pair, typ: 'svc-record+jws' })).valid).toBe(true);
  });
});

test.each([
  ['2026-01-02T03:04:05Z', 1_767_323_045_000],
  ['2026-01-02T03:04:05.250Z', 1_767_323_045_250],
  ['2026-02-30T05:00:00Z', null],
  ['2026-01-02T24:00:00Z', null],
  ['2026-13-02T04:00:00Z', null],
  ['2026-01-02 03:04:05Z', null],
  ['2026-01-02T03:04:05', null],
  [undefined, null],
])('parseInstant(%s)', (text, expected) => {
  expect(parseInstant(text)).toBe(expected);
});
