import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { backoffBefore, mostAttempts } from './retry-schedule.ts';

const hours = (count: number) => count * 3_600_000;

describe('the retry schedule', () => {
  test.each([
    [0, 0],
    [1, 5_000],
    [2, 300_000],
    [3, 1_800_000],
    [4, hours(2)],
    [5, hours(5)],
    [6, hours(10)],
    [7, hours(14)],
    [8, hours(20)],
    [9, hours(24)],
    [10, null],
    [99, null],
  ])('after %i attempts it waits %p ms', (attempts, expected) => {
    expect(backoffBefore(attempts, 0.5)).toBe(expected);
  });

  test('the delay varies by at most a tenth in either direction', () => {
    fc.assert(
      fc.property(
        fc.nat(mostAttempts - 1),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, chance) => {
          const usual = backoffBefore(attempts, 0.5) as number;
          const wait = backoffBefore(attempts, chance) as number;
          expect(wait).toBeGreaterThanOrEqual(Math.floor(usual * 0.9));
          expect(wait).toBeLessThanOrEqual(Math.ceil(usual * 1.1));
        },
      ),
    );
  });

  test('Retry-After is kept, up to a day', () => {
    expect(backoffBefore(1, 0.5, 60_000)).toBe(60_000);
    expect(backoffBefore(4, 0.5, 60_000)).toBe(hours(2));
    expect(backoffBefore(1, 0.5, hours(1_000))).toBe(hours(24));
  });
});
