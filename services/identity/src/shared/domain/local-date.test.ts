import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { localDate } from './local-date.ts';

test.each([
  ['2026-03-31T21:59:59Z', 'Europe/Zurich', [2026, 3, 31]],
  ['2026-03-31T22:00:00Z', 'Europe/Zurich', [2026, 4, 1]],
  ['2026-12-31T11:00:00Z', 'Pacific/Auckland', [2027, 1, 1]],
  ['2027-01-01T09:59:59Z', 'Pacific/Honolulu', [2026, 12, 31]],
  ['2026-03-01T12:00:00Z', 'Asia/Tehran', [2026, 3, 1]],
  ['2026-03-01T12:00:00Z', 'Asia/Bangkok', [2026, 3, 1]],
])('%s in %s', (moment, timeZone, [year, month, day]) => {
  expect(localDate(new Date(moment), timeZone)).toEqual({ year, month, day });
});

test('in UTC equals the ISO date', () => {
  const moments = fc.date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(moments, (moment) => {
      const { year, month, day } = localDate(moment, 'UTC');
      const text = [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
      expect(text).toBe(moment.toISOString().slice(0, 10));
    }),
  );
});
