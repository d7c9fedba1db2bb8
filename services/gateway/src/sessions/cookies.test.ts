import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { browserZone } from './cookies.ts';

const zoneOf = (cookie: string | undefined) => browserZone({ headers: { cookie } } as IncomingMessage);

describe("the browser's zone", () => {
  test.each(['Asia/Tokyo', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC'])('is %s', (zone) => {
    expect(zoneOf(`hearth_session=abc; hearth_zone=${zone}`)).toBe(zone);
  });

  test.each([
    undefined,
    'hearth_zone=',
    'hearth_zone=Mars/Olympus',
    'hearth_zone=+01:00',
    'hearth_zone=Asia/Tokyo<b>',
    'hearth_zone=Asia%2FTokyo',
    `hearth_zone=Asia/${'x'.repeat(5000)}`,
    'other=Asia/Tokyo',
  ])('is not known from %p', (cookie) => {
    expect(zoneOf(cookie)).toBeUndefined();
  });
});
