import { expect, test } from '@jest/globals';
import { rateLimitHeaders, type Usage } from './index.ts';

const usage: Usage = {
  limit: 'reads_a_minute',
  bound: 120,
  windowSeconds: 60,
  remaining: 119,
  resetsAt: 50_000,
};

test.each([
  [50_000, 0],
  [49_999, 1],
  [20_000, 30],
  [19_001, 31],
  [60_000, 0],
])('at %d the headers report a reset in %d s', (now, seconds) => {
  expect(rateLimitHeaders(usage, now)).toEqual({
    policy: '"reads_a_minute";q=120;w=60',
    limit: `"reads_a_minute";r=119;t=${seconds}`,
  });
});
