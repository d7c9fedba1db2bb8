import { expect, test } from '@jest/globals';
import { createAllowance } from './allowance.ts';

/**
 * Runs `count` tasks at once, each using one contact if there is any left. Returns how many did, and the
 * highest concurrency.
 */
async function run(given: number, count: number) {
  const allowance = createAllowance(given);
  let [inHand, most] = [0, 0];
  const used = await Promise.all(
    Array.from({ length: count }, () =>
      allowance.within(1, async (left) => {
        inHand += 1;
        most = Math.max(most, inHand);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inHand -= 1;
        return { firstContacts: left > 0 ? 1 : 0 };
      }),
    ),
  );
  return { used: used.filter(({ firstContacts }) => firstContacts === 1).length, most };
}

test('concurrent items never use more first contacts than are left', async () => {
  expect(await run(1_000, 50)).toEqual({ used: 50, most: 50 });
  expect(await run(0, 50)).toEqual({ used: 0, most: 50 });
  expect(await run(20, 50)).toMatchObject({ used: 20 });
  expect(await run(1, 5)).toMatchObject({ used: 1 });
});

test('a failed item uses no first contact, and the next one goes on', async () => {
  const allowance = createAllowance(1);
  const failed = allowance.within(1, async () => {
    throw new Error('away');
  });
  const next = allowance.within(1, async (left) => ({ firstContacts: left }));
  await expect(failed).rejects.toThrow('away');
  expect(await next).toEqual({ firstContacts: 1 });
});
