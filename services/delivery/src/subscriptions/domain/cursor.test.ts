import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { printCursor, readCursor } from './cursor.ts';

const uuids = fc.uuid();
const places = fc.record({
  number: fc.nat({ max: 2 ** 47 }),
  at: fc.date({ min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }),
});

test('a cursor holds its position, and its time to the hour', () => {
  fc.assert(
    fc.property(uuids, places, (ai, place) => {
      const text = printCursor(ai, place);
      expect(text).toMatch(/^[\w-]{20}$/);
      const hour = place.at.getTime() - (place.at.getTime() % 3_600_000);
      expect(readCursor(ai, text)).toEqual({ number: place.number, at: new Date(hour) });
    }),
  );
});

test('stays the same within an hour while nothing happens', () => {
  const at = (time: string) => new Date(`2026-03-01T${time}Z`);
  const ai = '01a1fcda-de69-7946-a90c-0cb00e6981a6';
  const cursor = printCursor(ai, { number: 7, at: at('12:00:00') });
  expect(printCursor(ai, { number: 7, at: at('12:59:59.999') })).toBe(cursor);
  expect(printCursor(ai, { number: 7, at: at('13:00:00') })).not.toBe(cursor);
});

test('is not valid for another AI', () => {
  fc.assert(
    fc.property(uuids, uuids, places, (one, other, place) => {
      fc.pre(one.slice(-8) !== other.slice(-8));
      expect(readCursor(other, printCursor(one, place))).toBeNull();
    }),
  );
});

test('any other text is refused or read as a position', () => {
  const ai = '01a1fcda-de69-7946-a90c-0cb00e6981a6';
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.stringMatching(/^[\w-]{20}$/)), (text) => {
      const place = readCursor(ai, text);
      if (place !== null) expect(Number.isSafeInteger(place.number) && place.number >= 0).toBe(true);
    }),
    { examples: [[''], ['null'], ['AAAAAAAAAAAAAAAAAAAA'], ['💥']] },
  );
  const cursor = printCursor(ai, { number: 1, at: new Date(0) });
  for (const text of [` ${cursor}`, `${cursor}=`, cursor.slice(1), `${cursor}A`, cursor.toUpperCase()])
    expect(readCursor(ai, text)).toBeNull();
});
