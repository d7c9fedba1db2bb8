import { expect, test } from '@jest/globals';
import { readTimeZone } from './time-zone.ts';

test.each(['UTC', 'Europe/Zurich', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta', 'Asia/Kolkata'])(
  '%s is a time zone, kept as it was given',
  (zone) => {
    expect(readTimeZone(zone)).toBe(zone);
  },
);

test.each(['', '+01:00', '-05', 'Europe/Atlantis', 'Zurich', 'Europe/Zurich ', '1', 'UTC+1'])(
  '%j is none',
  (zone) => {
    expect(() => readTimeZone(zone)).toThrow('time_zone: must be an IANA time zone');
  },
);
