import { english } from '@hearth/i18n';
import { expect, test } from '@jest/globals';
import { timeLeft } from './time-left.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [7 * day - 10_000, '7 days left'],
  [7 * day - 6 * minute, '6 days left'],
  [2 * day - minute, '2 days left'],
  [day - 1, '24 hours left'],
  [3 * minute, '3 minutes left'],
  [1, '1 minute left'],
  [0, 'no time left'],
])('%d milliseconds before the end: %s', (leftMs, words) => {
  expect(timeLeft(leftMs, 0).in(english)).toContain(`>${words}<`);
});
