import { expect, test } from '@jest/globals';
import { homesAbove } from './homes-above.ts';

test.each([
  ['a.b.example.com', ['a.b.example.com', 'b.example.com', 'example.com']],
  ['example.com', ['example.com']],
  ['localhost:8081', ['localhost:8081']],
])('above %s', (home, expected) => {
  expect(homesAbove(home)).toEqual(expected);
});
