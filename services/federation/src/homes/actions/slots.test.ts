import { expect, test } from '@jest/globals';
import { createSlots } from './slots.ts';

test('requests to a home are limited at once and start in order, and a request that waits too long starts without a slot', async () => {
  const slots = createSlots();
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const ask = (index: number, waitMs = 60_000) =>
    slots.run('b.example', 2, waitMs, async () => {
      began.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
      return index;
    });
  const all = [ask(0), ask(1), ask(2), ask(3)];
  expect(await ask(4, 1)).toBeNull();
  expect(began).toEqual([0, 1]);
  await slots.run('c.example', 1, 1, async () => began.push(9));
  for (let index = 0; index < 4; index += 1) {
    ends[index]!();
    expect(await all[index]).toBe(index);
    await Promise.resolve();
  }
  expect(began).toEqual([0, 1, 9, 2, 3]);
  expect(await slots.run('b.example', 1, 1, async () => 'free')).toBe('free');
});
