import { expect, test } from '@jest/globals';
import { zoneNamed } from './time-zone.ts';

test.each([
  ['europe/zurich', 'Europe/Zurich'],
  ['utc', 'UTC'],
  ['Asia/Kathmandu', 'Asia/Kathmandu'],
  ['Asia/Katmandu', 'Asia/Katmandu'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['Australia/Lord_Howe', 'Australia/Lord_Howe'],
  ['Mars/Base', null],
  ['+05:45', null],
])('%s is the zone %s', (text, zone) => {
  expect(zoneNamed(text)).toBe(zone);
});
