import { expect, test } from '@jest/globals';
import { fuzz } from './src/fuzz.ts';

test('the parsers for untrusted bytes refuse invalid input quickly: a short run of `npm run fuzz:parsers`', () => {
  const { count, faults } = fuzz({ count: 100_000, seed: 1, mostMs: 1_000 });
  expect(faults).toEqual([]);
  for (const { taken, refused } of Object.values(count)) {
    expect(taken).toBeGreaterThan(500);
    expect(refused).toBeGreaterThan(5_000);
  }
});
