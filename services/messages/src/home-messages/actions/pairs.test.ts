import { describe, expect, test } from '@jest/globals';
import { createLeaning, createPairs } from './pairs.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

interface Given {
  from: string;
  to: string[];
  alone?: boolean;
}

/** Starts work for each item, which writes and ends when the test tells it to. */
function start(items: Given[]) {
  const run = createPairs();
  const [began, wrote]: [number[], number[]] = [[], []];
  const writes = items.map(() => Promise.withResolvers<void>());
  const ends = items.map(() => Promise.withResolvers<void>());
  const all = items.map(({ from, to, alone = false }, index) =>
    run({ from, to }, alone, async (inTurn) => {
      began.push(index);
      await writes[index]!.promise;
      await inTurn(async () => {
        wrote.push(index);
        await ends[index]!.promise;
      });
    }),
  );
  return { all, began, wrote, writes, ends };
}

describe('concurrent items', () => {
  test('from one party to one address are written in order, and all others as they arrive', async () => {
    const { all, began, wrote, writes, ends } = start([
      { from: 'ana', to: ['x'] },
      { from: 'ana', to: ['x'] },
      { from: 'ana', to: ['y'] },
      { from: 'ana', to: ['x'] },
      { from: 'bea', to: ['x'] },
    ]);
    expect(began).toEqual([0, 1, 2, 3, 4]);
    for (const index of [3, 4, 2, 1]) writes[index]!.resolve();
    await settled();
    expect(wrote).toEqual([4, 2]);
    writes[0]!.resolve();
    await settled();
    // No write waits for the previous one to end.
    expect(wrote).toEqual([4, 2, 0, 1, 3]);
    for (const { resolve } of ends) resolve();
    await Promise.all(all);
  });

  test('go on after an item that fails or writes nothing', async () => {
    const run = createPairs();
    const ana = { from: 'ana', to: ['x'] };
    const wrote: number[] = [];
    const held = Promise.withResolvers<void>();
    const all = [
      run(ana, false, (inTurn) => held.promise.then(() => inTurn(async () => void wrote.push(0)))),
      run(ana, false, async () => {}),
      run(ana, false, async () => {
        throw new Error('away');
      }),
      run(ana, false, (inTurn) => inTurn(async () => void wrote.push(3))),
      run(ana, true, (inTurn) => inTurn(async () => void wrote.push(4))),
    ];
    const ended = Promise.allSettled(all);
    await settled();
    expect(wrote).toEqual([]);
    held.resolve();
    expect((await ended).map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
    expect(wrote).toEqual([0, 3, 4]);
  });

  test('wait for an exclusive item, which waits for all earlier ones', async () => {
    const { all, began, wrote, writes, ends } = start([
      { from: 'ana', to: ['x'] },
      { from: 'ana', to: ['y'] },
      { from: 'ana', to: ['x', 'y'], alone: true },
      { from: 'ana', to: ['y'] },
    ]);
    for (const { resolve } of writes) resolve();
    await settled();
    expect([began, wrote]).toEqual([
      [0, 1, 3],
      [0, 1],
    ]);
    ends[0]!.resolve();
    await settled();
    expect(began).toEqual([0, 1, 3]);
    ends[1]!.resolve();
    await settled();
    expect([began, wrote]).toEqual([
      [0, 1, 3, 2],
      [0, 1, 2],
    ]);
    ends[2]!.resolve();
    await settled();
    expect(wrote).toEqual([0, 1, 2, 3]);
    ends[3]!.resolve();
    await Promise.all(all);
  });
});

test('an item is exclusive when it replies, continues its sender’s thread, or has several recipients', () => {
  const leans = createLeaning();
  const item = (from: string, to: string[], body: object) =>
    leans({ from, to, bodyJson: JSON.stringify(body) });
  expect([
    item('ana', ['x'], { thread: 't1' }),
    item('ana', ['x'], { thread: 't2' }),
    item('bea', ['x'], { thread: 't1' }),
    item('ana', ['y'], { thread: 't1' }),
    item('ana', ['x'], { thread: 't3', reply_to: 'm1' }),
    item('ana', ['x', 'y'], { thread: 't4' }),
  ]).toEqual([false, false, false, true, true, true]);
});
