import { expect, test } from '@jest/globals';
import { readBearer } from './bearer.ts';

test.each([
  ['Bearer hk_abc', 'hk_abc'],
  ['bearer  a.b-c_d~e+f/g==', 'a.b-c_d~e+f/g=='],
  ['BEARER x ', 'x'],
])('%s', (header, token) => {
  expect(readBearer(header)).toBe(token);
});

test('nothing without a header', () => {
  expect(readBearer(undefined)).toBeUndefined();
});

test.each([
  '',
  'Bearer',
  'Bearer ',
  'Basic YTpi',
  'hk_abc',
  'Bearer a b',
  'Bearer "x"',
  `Bearer ${'x'.repeat(2_000)}`,
])('refuses %j without quoting it', (header) => {
  expect(() => readBearer(header)).toThrow(/^send your key as "Authorization: Bearer <key>"$/);
});
