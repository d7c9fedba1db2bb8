import { expect, test } from '@jest/globals';
import { createPace } from './pace.ts';

test('pushes to a home keep its requests_a_minute, the first goes at once, and homes do not wait for each other', async () => {
  const pace = createPace();
  const { signal } = new AbortController();
  const at: number[] = [];
  const began = performance.now();
  for (let count = 0; count < 3; count += 1) {
    await pace.next('b.example', 1_500, signal);
    at.push(performance.now() - began);
  }
  // 1,500 a minute is one every 40 ms; a fifth is reserved for other requests.
  expect(at[1]! - at[0]!).toBeGreaterThan(45);
  expect(at[2]! - at[0]!).toBeGreaterThan(95);
  const ends = new AbortController();
  await pace.next('c.example', 60, ends.signal);
  const waits = pace.next('c.example', 60, ends.signal);
  ends.abort();
  await expect(waits).rejects.toThrow(/abort/);
});
