import type { Host } from '@hearth/runtime';
import { expect, test } from '@jest/globals';
import { eachDue } from './each-due.ts';

/** A table with `count` due rows; a claim takes as many as it asks for. */
function dueRows(count: number) {
  const left = Array.from({ length: count }, (_, index) => `${index}`);
  const claimed: number[] = [];
  const errors: unknown[] = [];
  const tx = {
    async query({ values }: { values: unknown[] }) {
      const taken = left.splice(0, values.at(-1) as number);
      claimed.push(taken.length);
      return taken.map((id) => ({ id }));
    },
  };
  const host = {
    clock: { now: () => 0 },
    database: { statement: (work: (given: unknown) => unknown) => work(tx) },
    log: { error: (one: unknown) => errors.push(one) },
  } as unknown as Host;
  return { host, claimed, errors };
}

test('due rows are claimed by the hundred, and a few are processed at once', async () => {
  const { host, claimed } = dueRows(230);
  const done = new Set<string>();
  let inHand = 0;
  let most = 0;
  await eachDue(host, 'decisions.decisions', async (id) => {
    inHand += 1;
    most = Math.max(most, inHand);
    await Promise.resolve();
    inHand -= 1;
    done.add(id);
  });
  expect(done.size).toBe(230);
  expect(claimed).toEqual([200, 30]);
  expect(most).toBe(25);
});

test('a waiting row and a failing row hold up no others', async () => {
  const { host, errors } = dueRows(80);
  const begun = new Set<string>();
  const all = Promise.withResolvers<void>();
  await eachDue(host, 'decisions.decisions', async (id) => {
    begun.add(id);
    if (begun.size === 80) all.resolve();
    if (id === '0') await all.promise;
    if (id === '1') throw new Error('refused');
  });
  expect(begun.size).toBe(80);
  expect(errors).toMatchObject([{ id: '1' }]);
});
