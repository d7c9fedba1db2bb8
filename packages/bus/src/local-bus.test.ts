import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { unavailable } from '@hearth/errors';
import { createLocalBus } from './local-bus.ts';
import { bytes, notingLog, numbers, text, until } from './test-support.ts';

const batch = (word: string) => ({ subject: 'message.sent', id: `id-${word}`, events: [bytes(word)] });

test('a publish resolves when every durable has handled the batch, and at once when none hears it', async () => {
  const bus = createLocalBus({ log: notingLog() });
  await bus.publish(batch('unheard'));
  const handled: string[] = [];
  const hear = (durable: string, milliseconds: number) =>
    bus.consume({
      durable,
      subjects: ['>'],
      async handle(events) {
        await delay(milliseconds);
        handled.push(`${durable} ${events.map(text)}`);
      },
    });
  await hear('quick', 1);
  await hear('slow', 40);
  await bus.publish(batch('a'));
  expect(handled).toEqual(['quick a', 'slow a']);
  await bus.close();
});

test('a publish that is late rejects; the batch is handled all the same, and publishing again joins it', async () => {
  const bus = createLocalBus({ log: notingLog(), publishDeadline: 30 });
  let calls = 0;
  let release = () => {};
  await bus.consume({
    durable: 'slow',
    subjects: ['>'],
    handle: () => {
      calls += 1;
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    },
  });
  await expect(bus.publish(batch('a'))).rejects.toMatchObject({ kind: 'unavailable' });
  const again = bus.publish(batch('a'));
  await delay(10);
  release();
  await again;
  expect(calls).toBe(1);
  await bus.close();
});

test('a full queue makes publishers wait in order, and refuses those whose deadline passes', async () => {
  const bus = createLocalBus({ log: notingLog(), maxQueued: 3, publishDeadline: 200, retries: { firstPause: 5, longestPause: 5 } });
  const heard: string[] = [];
  let down = true;
  await bus.consume({
    durable: 'full',
    subjects: ['>'],
    maxBatch: 1,
    async handle(events) {
      if (down) throw unavailable('down');
      heard.push(...events.map(text));
    },
  });
  const early = numbers(6).map((n) => bus.publish(batch(String(n))).catch(() => 'refused'));
  expect(await Promise.all(early)).toEqual(numbers(6).map(() => 'refused'));
  // Three are in the queue and will be handled; the three that waited for room are forgotten.
  down = false;
  await until(() => heard.length === 3);
  await Promise.all(numbers(10, 10).map((n) => bus.publish(batch(String(n)))));
  expect(heard).toEqual(['0', '1', '2', ...numbers(10, 10).map(String)]);
  await bus.close();
});

test('closing rejects what is still being published', async () => {
  const bus = createLocalBus({ log: notingLog(), retries: { firstPause: 5 } });
  await bus.consume({ durable: 'down', subjects: ['>'], handle: () => Promise.reject(unavailable('down')) });
  const publishing = bus.publish(batch('a'));
  publishing.catch(() => {});
  await delay(10);
  await bus.close();
  await expect(publishing).rejects.toThrow('the bus is closed');
});
