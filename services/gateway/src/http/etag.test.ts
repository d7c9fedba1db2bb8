import { expect, test } from '@jest/globals';
import { etagOf, holds } from './etag.ts';

test('the tag follows the text and nothing else', () => {
  expect(etagOf('{"a":1}')).toMatch(/^"[A-Za-z0-9_-]{16}"$/);
  expect(etagOf('{"a":1}')).toBe(etagOf('{"a":1}'));
  expect(etagOf('{"a":1}')).not.toBe(etagOf('{"a":2}'));
});

test.each([
  ['"abc"', true],
  ['abc', true],
  ['W/"abc"', true],
  ['"x", "abc"', true],
  ['*', true],
  ['"x"', false],
  ['"abc', false],
  ['', false],
  [undefined, false],
])('If-None-Match: %s', (given, expected) => {
  expect(holds('"abc"', given)).toBe(expected);
});
