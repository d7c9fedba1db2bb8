import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@hearth/errors';
import { eventually } from '@hearth/testkit';
import { expect, test } from '@jest/globals';
import { createLocalBus } from './local-bus.ts';
import { bytes, notingLog, numbers, text } from './test-support.ts';

const batch = (word: string) => ({ subject: 'message.sent', id: `id-${word}`, events: [bytes(word)] });

test('a publish resolves when every durable has handled the batch, and at once without consumers', async () => {
  const bus = createLocalBus({ log: notingLog() });
  await bus.publish(batch('unheard'));
  const handled: string[] = [];
  const receive = (durable: string, milliseconds: number) =>
    bus.consume({
      durable,
      subjects: ['>'],
      async handle(events) {
        await delay(milliseconds);
        handled.push(`${durable} ${events.map(text)}`);
      },
    });
  await receive('quick', 1);
  await receive('slow', 40);
  await bus.publish(batch('a'));
  expect(handled).toEqual(['quick a', 'slow a']);
  await bus.close();
});

test('a publish past its deadline rejects while its batch is still handled, and publishing again joins it', async () => {
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

test('a full queue makes publishers wait in order, and abandoned publishes are not kept', async () => {
  const bus = createLocalBus({
    log: notingLog(),
    maxQueued: 3,
    publishDeadline: 150,
    retries: { firstPause: 5, longestPause: 5 },
  });
  const received: string[] = [];
  let down = true;
  await bus.consume({
    durable: 'full',
    subjects: ['>'],
    maxBatch: 1,
    async handle(events) {
      if (down) throw unavailable('down');
      received.push(...events.map(text));
    },
  });
  const early = numbers(6).map((n) => bus.publish(batch(String(n))).catch(() => 'refused'));
  expect(await Promise.all(early)).toEqual(numbers(6).map(() => 'refused'));
  down = false;
  await eventually(() => received.length === 1);
  await Promise.all(numbers(10).map((n) => bus.publish(batch(String(n)))));
  // Only the first was being handled when its publisher gave up.
  expect(received).toEqual(['0', ...numbers(10).map(String)]);
  await bus.close();
});

test('an event that is set aside is returned to its publisher at once', async () => {
  const bus = createLocalBus({
    log: notingLog(),
    retries: { firstPause: 1, triesInPlace: 2, firstAside: 200 },
  });
  let calls = 0;
  await bus.consume({
    durable: 'picky',
    subjects: ['>'],
    async handle() {
      calls += 1;
      throw new Error('cannot be read');
    },
  });
  const x = batch('x');
  const refused = [{ event: x.events[0], error: new Error('cannot be read') }];
  expect(await bus.publish(x)).toEqual({ refused });
  expect(calls).toBe(2);
  await delay(300);
  expect(calls).toBe(2);
  expect(await bus.publish(x)).toEqual({ refused });
  expect(calls).toBe(4);
  await bus.close();
});

test('pending and later publishes fail at once when all consumers stop', async () => {
  const bus = createLocalBus({ log: notingLog() });
  const handled: string[] = [];
  let inHand = false;
  await bus.consume({
    durable: 'slow',
    subjects: ['>'],
    maxBatch: 1,
    async handle(events) {
      inHand = true;
      await delay(50);
      handled.push(...events.map(text));
    },
  });
  const [first, second] = [bus.publish(batch('a')), bus.publish(batch('b'))];
  await eventually(() => inHand);
  const refused = expect(second).rejects.toThrow('the bus is closed');
  await bus.stopConsuming();
  await first;
  await refused;
  await expect(bus.publish(batch('c'))).rejects.toThrow('the bus is closed');
  expect(handled).toEqual(['a']);
  bus.onSignal('word', () => handled.push('a signal'));
  bus.signal('word', bytes('x'));
  await eventually(() => handled.includes('a signal'));
  await bus.close();
});

test('a signal is heard before events published after it', async () => {
  const bus = createLocalBus({ log: notingLog() });
  const heard: string[] = [];
  bus.onSignal('word', () => heard.push('word'));
  const heardAtNextTurn = new Promise((resolve) => setImmediate(() => resolve([...heard])));
  bus.signal('word', bytes(''));
  expect([...heard]).toEqual([]);
  expect(await heardAtNextTurn).toEqual(['word']);
  await bus.close();
});

test('closing rejects pending publishes', async () => {
  const bus = createLocalBus({ log: notingLog(), retries: { firstPause: 5 } });
  const handle = (): Promise<void> => Promise.reject(unavailable('down'));
  await bus.consume({ durable: 'down', subjects: ['>'], handle });
  const publishing = bus.publish(batch('a'));
  publishing.catch(() => {});
  await delay(10);
  await bus.close();
  await expect(publishing).rejects.toThrow('the bus is closed');
});
