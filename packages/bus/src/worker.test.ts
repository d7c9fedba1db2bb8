import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@hearth/errors';
import { eventually } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { createInbox, type Delivery } from './inbox.ts';
import { bytes, notingLog, text } from './test-support.ts';
import { startWorker } from './worker.ts';

function deliveries() {
  const ends: string[] = [];
  const delivery = (words: string, attempt = 1): Delivery => ({
    events: words.split(' ').map(bytes),
    attempt,
    done: () => void ends.push(`${words}: done`),
    again: (pause, events) => void ends.push(`${events.map(text).join(' ')}: again in ${pause}`),
  });
  return { ends, delivery };
}

function working(handle: (words: string[]) => Promise<void> | void, maxBatch = 4) {
  const inbox = createInbox();
  const calls: string[] = [];
  const log = notingLog();
  const worker = startWorker({
    name: 'delivery',
    inbox,
    maxBatch,
    log,
    retries: { firstPause: 5, longestPause: 20, triesInPlace: 3, firstAside: 1_000, longestAside: 3_000 },
    async handle(events) {
      const words = events.map(text);
      calls.push(words.join(' '));
      await handle(words);
    },
  });
  return { inbox, calls, log, worker };
}

describe('a worker', () => {
  test('gathers whole batches up to its bound, and handles a larger batch alone', async () => {
    const { ends, delivery } = deliveries();
    const { inbox, calls, worker } = working(() => {});
    for (const words of ['a b', 'c', 'd e', 'f g h i j', 'k']) inbox.add(delivery(words));
    await eventually(() => ends.length === 5);
    expect(calls).toEqual(['a b c', 'd e', 'f g h i j', 'k']);
    await worker.stop();
  });

  test('handles redelivered batches alone', async () => {
    const { ends, delivery } = deliveries();
    const { inbox, calls, worker } = working(() => {});
    for (const [words, attempt] of [
      ['a', 1],
      ['b', 1],
      ['c', 2],
      ['d', 1],
      ['e', 1],
    ] as const)
      inbox.add(delivery(words, attempt));
    await eventually(() => ends.length === 5);
    expect(calls).toEqual(['a b', 'c', 'd e']);
    await worker.stop();
  });

  test('finds the failing batch among many, and sets it aside for longer each time', async () => {
    const { ends, delivery } = deliveries();
    const { inbox, calls, log, worker } = working((words) => {
      if (words.includes('x')) throw new Error('unreadable');
    });
    for (const words of ['a', 'x', 'b']) inbox.add(delivery(words));
    await eventually(() => ends.length === 3);
    expect(calls).toEqual(['a x b', 'a', 'x', 'x', 'x', 'b']);
    expect(ends).toEqual(['a: done', 'x: again in 1000', 'b: done']);
    for (const attempt of [2, 3, 4]) inbox.add(delivery('x', attempt));
    await eventually(() => ends.length === 6);
    expect(ends.slice(3)).toEqual(['x: again in 2000', 'x: again in 3000', 'x: again in 3000']);
    expect(log.entries.filter(({ level }) => level === 'error').length).toBe(4);
    await worker.stop();
  });

  test('splits a batch in which some events fail, and handles the others once', async () => {
    const { ends, delivery } = deliveries();
    const { inbox, calls, worker } = working((words) => {
      if (words.includes('x') || words.includes('y')) throw new Error('unreadable');
    });
    inbox.add(delivery('a b c x d e y f'));
    await eventually(() => ends.length === 1);
    expect(ends).toEqual(['x y: again in 1000']);
    expect(calls.slice(0, 11)).toEqual([
      'a b c x d e y f',
      ...['a b c x', 'a b', 'c x', 'c', 'x'],
      ...['d e y f', 'd e', 'y f', 'y', 'f'],
    ]);
    // Then only these two, together and one by one, on each retry.
    expect(calls.slice(11)).toEqual([...['x y', 'x', 'y'], ...['x y', 'x', 'y']]);
    await worker.stop();
  });

  test('splits nothing while a dependency is unavailable, even if the outage begins midway', async () => {
    const { ends, delivery } = deliveries();
    let away = 2;
    const { inbox, calls, worker } = working((words) => {
      if (words.length === 2 && away > 0) {
        away -= 1;
        throw unavailable('the database is away');
      }
      if (words.includes('x')) throw new Error('unreadable');
    });
    inbox.add(delivery('a b x c'));
    await eventually(() => ends.length === 1);
    expect(ends).toEqual(['x: again in 1000']);
    expect(calls.filter((words) => words === 'a b x c')).toHaveLength(3);
    expect(calls.filter((words) => words === 'a b')).toHaveLength(3);
    await worker.stop();
  });

  test('waits in place for an unavailable dependency, for as long as the outage lasts', async () => {
    const { ends, delivery } = deliveries();
    let left = 8;
    const { inbox, calls, worker } = working(() => {
      left -= 1;
      if (left >= 0) throw unavailable('the database is away');
    });
    inbox.add(delivery('a'));
    await eventually(() => calls.length > 0);
    inbox.add(delivery('b'));
    await eventually(() => ends.length === 2);
    expect(ends).toEqual(['a: done', 'b: done']);
    expect(calls).toEqual([...Array.from({ length: 9 }, () => 'a'), 'b']);
    await worker.stop();
  });

  test('hands back unfinished batches when stopped between two tries', async () => {
    const { ends, delivery } = deliveries();
    const { inbox, calls, worker } = working(() => {
      throw unavailable('the database is away');
    });
    for (const words of ['a', 'b']) inbox.add(delivery(words));
    await eventually(() => calls.length > 3);
    await worker.stop();
    expect(ends).toEqual(['a: again in 0', 'b: again in 0']);
    const handled = calls.length;
    inbox.add(delivery('c'));
    await delay(20);
    expect(calls.length).toBe(handled);
  });

  test('treats a rejection without a reason as a rejection', async () => {
    const { ends, delivery } = deliveries();
    const { inbox, worker } = working(() => Promise.reject(undefined));
    inbox.add(delivery('a'));
    await eventually(() => ends.length === 1);
    expect(ends).toEqual(['a: again in 1000']);
    await worker.stop();
  });
});
