import { expect, test } from '@jest/globals';
import { nextPollMs } from './next-poll.ts';

const now = Date.parse('2026-03-02T12:00:00Z');
const ago = (hours: number) => new Date(now - hours * 3_600_000);
const minute = 1 / 60;

test.each([
  ['that began just now', { created_at: ago(0), last_at: null, last_group_at: null }, 30_000],
  [
    'that began a day ago and had nothing',
    { created_at: ago(24), last_at: null, last_group_at: null },
    300_000,
  ],
  ['that began less than a day ago', { created_at: ago(23.9), last_at: null, last_group_at: null }, 30_000],
  ['to which something came today', { created_at: ago(99), last_at: ago(23), last_group_at: null }, 30_000],
  [
    'to which nothing came for a day',
    { created_at: ago(99), last_at: ago(24), last_group_at: ago(24) },
    300_000,
  ],
  ['of a live group', { created_at: ago(99), last_at: ago(minute), last_group_at: ago(minute) }, 5_000],
  [
    'of a group until ten minutes ago',
    { created_at: ago(99), last_at: ago(1), last_group_at: ago(10 * minute) },
    30_000,
  ],
])('a stream %s', (_, stream, expected) => {
  expect(nextPollMs(stream, now)).toBe(expected);
});
