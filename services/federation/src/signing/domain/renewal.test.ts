import { describe, expect, test } from '@jest/globals';
import { mustIssue, validForMs } from './renewal.ts';

const issued = Date.parse('2026-03-01T12:00:00.000Z');
const latest = {
  contentDigest: 'one',
  issuedAt: new Date(issued),
  validUntil: new Date(issued + validForMs),
};
const hour = 3_600_000;

describe('a new home document', () => {
  test.each([
    ['the same content, fresh', 'one', 0, 0, false],
    ['the same content, twelve hours left', 'one', 12 * hour, 0, false],
    ['the same content, less than twelve hours left', 'one', 12 * hour + 1, 0, true],
    ['the same content, expired', 'one', 25 * hour, 60_000, true],
    ['other content at a start', 'two', 0, 0, true],
    ['other content within a minute', 'two', 59_999, 60_000, false],
    ['other content after a minute', 'two', 60_000, 60_000, true],
    ['other content, almost expired', 'two', 12 * hour + 1, 60_000, true],
  ])('%s', (_, digest, after, minAge, expected) => {
    expect(mustIssue(latest, digest, issued + after, minAge)).toBe(expected);
  });
});
