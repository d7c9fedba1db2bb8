import { hour } from '@hearth/clock';
import { eventually } from '@hearth/testkit';
import { expect, test } from '@jest/globals';
import { home } from './each-apps.ts';

// The machine's clock is changed: apps still receive everything once.
const rename = async (seq: number) =>
  (await home.happen('groupUpdated', { ...home.inClub(seq), changed: ['name'] })).id;
const arrived = () => home.first.arrived.map(({ body }) => body.id);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.each([
  ['back', -3],
  ['ahead', 3],
])('an event is sent once, before and after the clock jumps %s', async (_, hours) => {
  const before = [await rename(2), await rename(3)];
  await eventually(() => arrived().length === 2);
  home.clock.advance(hours * hour);
  const after = [await rename(4), await rename(5)];
  await eventually(() => arrived().length === 4);
  home.clock.advance(-hours * hour);
  const last = await rename(6);
  await eventually(() => arrived().length >= 5);
  await sleep(1_200);
  expect(arrived()).toEqual([...before, ...after, last]);
});

test('an event in flight while the clock jumps ahead is not sent again', async () => {
  home.first.next('hangs');
  const id = await rename(2);
  await eventually(() => arrived().length === 1);
  home.clock.advance(2 * hour);
  await sleep(1_500);
  expect(arrived()).toEqual([id]);
});

test('an event that was not accepted is retried, however far the clock jumps ahead', async () => {
  home.first.next({ status: 500 });
  const id = await rename(2);
  await eventually(() => arrived().length === 1);
  await sleep(300);
  home.clock.advance(24 * hour);
  await eventually(() => arrived().length === 2);
  await sleep(1_200);
  expect(arrived()).toEqual([id, id]);
});
