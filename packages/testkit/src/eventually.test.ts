import { expect, test } from '@jest/globals';
import { eventually, follows } from './eventually.ts';

const counter = () => {
  let count = 0;
  return () => ++count;
};

test('waits until it finds a value, or a check passes', async () => {
  const next = counter();
  expect(await eventually(() => (next() < 3 ? undefined : 'found'))).toBe('found');
  expect(await eventually(counter(), (count) => count === 4)).toBe(4);
  expect(await eventually(() => 0)).toBe(0);
});

test('reports the last failure at the deadline', async () => {
  const look = () => ({ big: 1n });
  await expect(eventually(look, () => false, { withinMs: 0 })).rejects.toThrow(
    'still not so after 0 ms: () => ({ big: 1n }) sees { big: 1n }',
  );
});

test('retries a check that fails at first', async () => {
  const next = counter();
  const attempt = async () => {
    if (next() < 3) throw new Error('not yet');
    return next();
  };
  expect(await follows(attempt)).toBe(4);
});
