import { expect, test } from '@jest/globals';
import { createBreaker } from './breaker.ts';

test('five failures within a minute open the breaker for a minute, then one trial request decides', () => {
  const breaker = createBreaker();
  const home = 'dead.example';
  for (const at of [0, 61_000, 70_000, 80_000, 90_000]) breaker.noteFailure(home, at);
  expect(breaker.waitMs(home, 90_000)).toBe(0);
  breaker.noteFailure(home, 100_000);
  expect(breaker.waitMs(home, 100_001)).toBe(59_999);
  expect(breaker.waitMs('alive.example', 100_001)).toBe(0);
  // The trial request, then concurrent requests.
  expect(breaker.waitMs(home, 160_000)).toBe(0);
  expect(breaker.waitMs(home, 160_000)).toBe(60_000);
  breaker.noteFailure(home, 161_000);
  expect(breaker.waitMs(home, 161_000)).toBeGreaterThan(0);
  breaker.noteAnswer(home);
  expect(breaker.waitMs(home, 161_000)).toBe(0);
});

test('a clock that is set back allows one trial request at once', () => {
  const breaker = createBreaker();
  for (let times = 0; times < 5; times += 1) breaker.noteFailure('dead.example', 7_200_000);
  expect(breaker.waitMs('dead.example', 7_200_000)).toBe(60_000);
  expect(breaker.waitMs('dead.example', 3_600_000)).toBe(0);
  expect(breaker.waitMs('dead.example', 3_600_000)).toBe(60_000);
});

test('failures in the future, after the clock was set back, do not count', () => {
  const breaker = createBreaker();
  for (let times = 0; times < 4; times += 1) breaker.noteFailure('dead.example', 7_200_000);
  breaker.noteFailure('dead.example', 3_600_000);
  expect(breaker.waitMs('dead.example', 3_600_000)).toBe(0);
});
