import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { weekOf } from './week.ts';

describe('the ISO week of a moment', () => {
  test.each([
    ['2026-03-01T23:59:59.999Z', '2026-02-23'],
    ['2026-03-02T00:00:00.000Z', '2026-03-02'],
    ['2026-03-08T12:00:00.000Z', '2026-03-02'],
    ['1970-01-01T00:00:00.000Z', '1969-12-29'],
    ['2024-12-31T00:00:00.000Z', '2024-12-30'],
    ['2025-01-01T00:00:00.000Z', '2024-12-30'],
  ])('%s is in week %s', (moment, week) => {
    expect(weekOf(Date.parse(moment))).toBe(week);
  });

  test('begins on a Monday, and contains the moment', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }), (date) => {
        const monday = new Date(`${weekOf(date.getTime())}T00:00:00.000Z`);
        expect(monday.getUTCDay()).toBe(1);
        const since = date.getTime() - monday.getTime();
        expect(since).toBeGreaterThanOrEqual(0);
        expect(since).toBeLessThan(7 * 86_400_000);
      }),
    );
  });
});
