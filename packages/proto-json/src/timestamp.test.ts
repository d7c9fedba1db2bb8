import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseTimestamp, printTimestamp, readTypedTimestamp } from './timestamp.ts';

const reprinted = (text: string) => {
  const time = parseTimestamp(text);
  return time && printTimestamp(time);
};

describe('a time', () => {
  test.each([
    ['2026-07-01T09:30:00Z', '2026-07-01T09:30:00.000Z'],
    ['2026-07-01t09:30:00z', '2026-07-01T09:30:00.000Z'],
    ['2026-07-01T09:30:00+02:00', '2026-07-01T07:30:00.000Z'],
    ['2026-07-01T00:30:00.5-05:30', '2026-07-01T06:00:00.500Z'],
    ['2026-07-01T09:30:00.123999999Z', '2026-07-01T09:30:00.123Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['1969-12-31T23:59:59.250Z', '1969-12-31T23:59:59.250Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, printed) => {
    expect(reprinted(text)).toBe(printed);
  });

  test.each([
    '',
    '2026-07-01',
    '2026-07-01T09:30Z',
    '2026-07-01T09:30:00',
    '2026-07-01 09:30:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-07-01T24:00:00Z',
    '2026-07-01T23:60:00Z',
    '2026-07-01T23:59:60Z',
    '2026-07-01T09:30:00+24:00',
    '2026-07-01T09:30:00+01:60',
    '2026-07-01T09:30:00.Z',
    '2026-07-01T09:30:00.1234567890Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    ' 2026-07-01T09:30:00Z',
    '2026-07-01T09:30:00Z\n',
    '1782900000',
    '+12026-07-01T09:30:00Z',
  ])('%j is not a time', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  test.each([
    '2026-07-01T09:30Z',
    '2026-07-01T09:30:00+0000',
    '2026-07-01T09:30:00+00',
    '2026-07-01T11:30+02:00',
    '2026-07-01 09:30:00Z',
    '2026-07-01 09:30:00 UTC',
    // From a query with a plus sign that was not escaped.
    '2026-07-01T11:30:00 02:00',
    '2026-07-01T07:30:00\u221202:00',
    '2026-07-01t09:30z ',
    '２０２６-０７-０１T０９:３０Z',
    '2026-07-01T09:30:00,000Z',
  ])('%j is accepted from a caller, but not from another home', (text) => {
    const time = readTypedTimestamp(text);
    expect(time && printTimestamp(time)).toBe('2026-07-01T09:30:00.000Z');
    expect(parseTimestamp(text)).toBeNull();
  });

  test.each([
    '2026-07-01',
    '2026-07-01T09:30:00',
    '2026-07-01T09:30 02',
    '2026-07-01 09:30',
    '2026-02-30T00:00Z',
    '2026-07-01T24:00Z',
    '01/07/2026 09:30Z',
    '2026-07-01T9:30Z',
  ])('%j is not a time from a caller either', (text) => {
    expect(readTypedTimestamp(text)).toBeNull();
  });

  test('survives the round trip to the millisecond', () => {
    const dates = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(dates, (date) => expect(reprinted(date.toISOString())).toBe(date.toISOString())));
  });
});

test('a time outside years of four digits is not printed', () => {
  expect(() =>
    printTimestamp({ $typeName: 'google.protobuf.Timestamp', seconds: 2n ** 60n, nanos: 0 }),
  ).toThrow('out of range');
});
