import { expect, test } from '@jest/globals';
import { readRetryAfter } from './retry-after.ts';

const now = Date.UTC(2026, 2, 1, 12);

test.each([
  ['0', 0],
  ['120', 120_000],
  ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
  ['Sun, 01 Mar 2026 11:59:00 GMT', null],
  ['-5', null],
  ['1.5e3', null],
  ['soon', null],
  ['', null],
  [undefined, null],
])('%s is %s ms', (header, ms) => {
  expect(readRetryAfter(header, now)).toBe(ms);
});
