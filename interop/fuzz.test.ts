import { expect, test } from '@jest/globals';
import { fuzz } from './src/fuzz.ts';

test('the parsers of strangers’ bytes refuse what they do not take, and are done soon: a short run of `npm run fuzz:parsers`', () => {
  const { count, faults } = fuzz({ count: 100_000, seed: 1, mostMs: 1_000 });
  expect(faults).toEqual([]);
  for (const { taken, refused } of Object.values(count)) {
    expect(taken).toBeGreaterThan(500);
    expect(refused).toBeGreaterThan(5_000);
  }
});
