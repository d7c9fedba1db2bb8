import { expect, test } from '@jest/globals';
import { nextPollMs } from './next-poll.ts';

const now = Date.parse('2026-03-02T12:00:00Z');
const ago = (hours: number) => new Date(now - hours * 3_600_000);
const minute = 1 / 60;

test.each([
  ['that started just now', { created_at: ago(0), last_at: null, last_group_at: null }, 30_000],
  [
    'that started a day ago and is empty',
    { created_at: ago(24), last_at: null, last_group_at: null },
    300_000,
  ],
  ['that started less than a day ago', { created_at: ago(23.9), last_at: null, last_group_at: null }, 30_000],
  ['with an event today', { created_at: ago(99), last_at: ago(23), last_group_at: null }, 30_000],
  ['without an event for a day', { created_at: ago(99), last_at: ago(24), last_group_at: ago(24) }, 300_000],
  ['of an active group', { created_at: ago(99), last_at: ago(minute), last_group_at: ago(minute) }, 5_000],
  [
    'of a group that was active until ten minutes ago',
    { created_at: ago(99), last_at: ago(1), last_group_at: ago(10 * minute) },
    30_000,
  ],
])('a stream %s', (_, stream, expected) => {
  expect(nextPollMs(stream, now)).toBe(expected);
});
