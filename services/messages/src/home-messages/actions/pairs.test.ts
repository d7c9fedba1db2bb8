import { expect, test } from '@jest/globals';
import { createPairs } from './pairs.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Begins work for each item; answers which began, and ends one. */
function start(items: [from: string, ...to: string[]][]) {
  const run = createPairs();
  const began: number[] = [];
  const ends = items.map(() => Promise.withResolvers<void>());
  const all = items.map(([from, ...to], index) =>
    run({ from, to }, () => {
      began.push(index);
      return ends[index]!.promise;
    }),
  );
  return { all, began, ends };
}

test('from one party to one address work goes in order, and all else side by side', async () => {
  const { all, began, ends } = start([
    ['ana', 'x', 'y'],
    ['ana', 'z'],
    ['bea', 'x'],
    ['ana', 'y'],
    ['ana', 'z', 'y'],
  ]);
  await settled();
  expect(began).toEqual([0, 1, 2]);
  ends[0]!.resolve();
  await settled();
  expect(began).toEqual([0, 1, 2, 3]);
  ends[3]!.resolve();
  await settled();
  expect(began).toHaveLength(4);
  ends[1]!.resolve();
  await settled();
  expect(began.at(-1)).toBe(4);
  for (const { resolve } of ends) resolve();
  await Promise.all(all);
});

test('what fails holds up nothing behind it', async () => {
  const { all, began, ends } = start([
    ['ana', 'x'],
    ['ana', 'x'],
  ]);
  ends[0]!.reject(new Error('away'));
  ends[1]!.resolve();
  const [failed] = await Promise.allSettled(all);
  expect([failed!.status, began]).toEqual(['rejected', [0, 1]]);
});
