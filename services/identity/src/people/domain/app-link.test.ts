import { expect, test } from '@jest/globals';
import { stateOfLink } from './app-link.ts';

const now = new Date('2026-03-01T12:00:00Z');
const ago = (days: number, more = 0) => new Date(now.getTime() - days * 86_400_000 + more);

test.each([
  [null, 'ask'],
  [{ askedAt: ago(100), answeredAt: null, accepted: null }, 'waiting'],
  [{ askedAt: ago(31), answeredAt: ago(30, 1), accepted: false }, 'declined'],
  [{ askedAt: ago(31), answeredAt: ago(30), accepted: false }, 'ask'],
  // Accepted once, but another app holds the person now.
  [{ askedAt: ago(2), answeredAt: ago(1), accepted: true }, 'ask'],
])('%j: %s', (link, state) => {
  expect(stateOfLink(link, now)).toBe(state);
});
