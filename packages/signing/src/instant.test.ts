import { expect, test } from '@jest/globals';
import { instantOf, parseInstant } from './instant.ts';

test.each<[unknown, bigint | null, number | null]>([
  ['2026-01-02T03:04:05Z', 1_767_323_045_000_000_000n, 1_767_323_045_000],
  ['2026-01-02T03:04:05.250Z', 1_767_323_045_250_000_000n, 1_767_323_045_250],
  ['2026-01-02T03:04:05.123456789Z', 1_767_323_045_123_456_789n, 1_767_323_045_123],
  ['1969-12-31T23:59:59.9999Z', -100_000n, -1],
  ['2026-01-02T03:04:05.1234567890Z', null, null],
  ['2026-01-02T03:04:05.Z', null, null],
  ['2026-02-30T05:00:00Z', null, null],
  ['2026-01-02T24:00:00Z', null, null],
  ['2026-01-02T23:59:60Z', null, null],
  ['2026-13-02T04:00:00Z', null, null],
  ['2026-01-02t03:04:05Z', null, null],
  ['2026-01-02T03:04:05z', null, null],
  ['2026-01-02 03:04:05Z', null, null],
  ['2026-01-02T03:04:05', null, null],
  ['2026-01-02T03:04:05+00:00', null, null],
  [5, null, null],
  [undefined, null, null],
])('%s', (text, nanoseconds, milliseconds) => {
  expect(instantOf(text)).toBe(nanoseconds);
  expect(parseInstant(text)).toBe(milliseconds);
});
