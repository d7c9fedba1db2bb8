import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@hearth/errors';
import { eventually } from '@hearth/testkit';
import { startNats } from '@hearth/testkit/nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Bus, Published } from './bus.ts';
import { createLocalBus, type Retries } from './index.ts';
import { bytes, createTestBus, notingLog, numbers, text } from './test-support.ts';

const retries: Partial<Retries> = { firstPause: 10, longestPause: 50, firstAside: 300, longestAside: 300 };

interface Kind {
  setUp(): Promise<void>;
  /** Creates a bus whose home has this prefix. */
  create(prefix: string): Promise<Bus>;
  tearDown(): Promise<void>;
}

function natsKind(): Kind {
  let server: Awaited<ReturnType<typeof startNats>>;
  return {
    setUp: async () => {
      server = await startNats();
    },
    create: (prefix) => createTestBus({ url: server.url, prefix, retries }),
    tearDown: () => server.stop(),
  };
}

const localKind = (): Kind => ({
  setUp: async () => {},
  create: async () => createLocalBus({ log: notingLog(), retries }),
  tearDown: async () => {},
});

describe.each([
  ['in this process', localKind()],
  ['over NATS', natsKind()],
])('the bus %s', (_name, kind) => {
  let bus: Bus;
  let home = 0;
  let batch = 0;
  beforeAll(kind.setUp);
  afterAll(kind.tearDown);
  beforeEach(async () => {
    home += 1;
    bus = await kind.create(`home-${home}`);
  });
  afterEach(() => bus.close());

  function publish(subject: string, ...events: string[]): Promise<Published> {
    batch += 1;
    return bus.publish({ subject, id: `batch-${batch}`, events: events.map(bytes) });
  }

  /** A consumer that stores what it receives. */
  async function receiving(
    durable: string,
    subjects: string[],
    meanwhile: (received: string[]) => Promise<void> | void = () => {},
    maxBatch?: number,
  ) {
    const received: string[] = [];
    const calls: string[][] = [];
    const subscription = await bus.consume({
      durable,
      subjects,
      ...(maxBatch === undefined ? {} : { maxBatch }),
      async handle(events) {
        const words = events.map(text);
        calls.push(words);
        await meanwhile(words);
        received.push(...words);
      },
    });
    return { received, calls, subscription };
  }

  test('delivers the events of one publisher in order, in whole batches', async () => {
    const { received, calls } = await receiving('one', ['message.>'], () => delay(2));
    const sent = numbers(300).map(String);
    await Promise.all(numbers(100).map((n) => publish('message.sent', ...sent.slice(n * 3, n * 3 + 3))));
    await eventually(() => received.length >= 300);
    expect(received).toEqual(sent);
    expect(calls.every((events) => events.length % 3 === 0)).toBe(true);
    expect(calls.length).toBeLessThan(100);
    expect(Math.max(...calls.map((events) => events.length))).toBeLessThanOrEqual(200);
  });

  test('delivers to each durable every event that matches its subjects, and no other', async () => {
    const all = await receiving('all', ['>']);
    const sent = await receiving('sent', ['message.*', 'card.changed']);
    await publish('message.sent', 'a');
    await publish('message.sent.late', 'b');
    await publish('card.changed', 'c');
    await publish('card.other', 'd');
    await eventually(() => all.received.length === 4 && sent.received.length >= 2);
    await delay(50);
    expect(all.received.toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(sent.received).toEqual(['a', 'c']);
  });

  test('shares the events of a durable between its replicas, each event going to one replica', async () => {
    const first = await receiving('shared', ['>'], () => delay(5), 10);
    const second = await receiving('shared', ['>'], () => delay(5), 10);
    const sent = numbers(200).map(String);
    for (const word of sent) void publish('message.sent', word);
    await eventually(() => first.received.length + second.received.length >= 200);
    await delay(50);
    expect([...first.received, ...second.received].map(Number).toSorted((a, b) => a - b)).toEqual(
      sent.map(Number),
    );
    expect(first.received.length).toBeGreaterThan(0);
    expect(second.received.length).toBeGreaterThan(0);
    expect(Math.max(...first.calls.map((events) => events.length))).toBeLessThanOrEqual(10);
  });

  test('redelivers in order after a rejection when a shared dependency is unavailable', async () => {
    let failures = 6;
    const { received } = await receiving('patient', ['>'], () => {
      failures -= 1;
      if (failures >= 0) throw unavailable('the database is away');
    });
    await Promise.all(numbers(5).map((n) => publish('message.sent', String(n))));
    await eventually(() => received.length >= 5);
    expect(received).toEqual(['0', '1', '2', '3', '4']);
  });

  test('sets aside a batch that fails by itself, lets the others through, and redelivers it later', async () => {
    let poisonous = true;
    const { received, calls } = await receiving('picky', ['>'], (words) => {
      if (poisonous && words.includes('poison')) throw new Error('cannot be read');
    });
    const published = ['a', 'poison', 'b', 'c'].map((word) => publish('message.sent', word));
    await eventually(() => received.length === 3);
    expect(received).toEqual(['a', 'b', 'c']);
    // In process, the publisher brings it again.
    void Promise.all(published).then((all) => {
      for (const { refused } of all) if (refused.length > 0) void publish('message.sent', 'poison');
    });
    expect(calls.filter((words) => words.join() === 'poison').length).toBeGreaterThanOrEqual(4);
    poisonous = false;
    await eventually(() => received.length === 4);
    expect(received[3]).toBe('poison');
    await Promise.all(published);
  });

  test('handles the other events of a batch once when one event fails by itself', async () => {
    let poisonous = true;
    const { received } = await receiving('picky', ['>'], (words) => {
      if (poisonous && words.includes('poison')) throw new Error('cannot be read');
    });
    const { refused } = await publish('message.sent', 'a', 'b', 'poison', 'c', 'd');
    await eventually(() => received.length === 4);
    poisonous = false;
    for (const { event } of refused) void publish('message.sent', text(event));
    await eventually(() => received.length === 5);
    await delay(400);
    expect(received).toEqual(['a', 'b', 'c', 'd', 'poison']);
  });

  test('lets other durables continue while one fails', async () => {
    const failing = await receiving('failing', ['>'], () => {
      throw unavailable('down');
    });
    const working = await receiving('working', ['>']);
    for (const word of ['a', 'b', 'c']) void publish('message.sent', word).catch(() => {});
    await eventually(() => working.received.length === 3);
    expect(failing.received).toEqual([]);
    expect(failing.calls.length).toBeGreaterThan(0);
  });

  test('stops a consumer after its current handling, and leaves the rest for the next replica', async () => {
    let release = () => {};
    const first = await receiving(
      'drained',
      ['>'],
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    void publish('message.sent', 'a').catch(() => {});
    await eventually(() => first.calls.length === 1);
    let stopped = false;
    const stop = first.subscription.stop().then(() => {
      stopped = true;
    });
    await delay(100);
    expect(stopped).toBe(false);
    release();
    // A handling that began before the stop was complete also counts as in progress.
    const pump = setInterval(() => release(), 10);
    await stop;
    clearInterval(pump);
    const handledByFirst = first.calls.length;
    void publish('message.sent', 'b').catch(() => {});
    void publish('message.sent', 'c').catch(() => {});
    await delay(100);
    expect(first.calls.length).toBe(handledByFirst);
    const second = await receiving('drained', ['>']);
    await eventually(() => second.received.length === 2);
    expect(first.received).toEqual(['a']);
    expect(second.received).toEqual(['b', 'c']);
    await first.subscription.stop();
  });

  test('carries an empty event, a large batch and every byte unchanged', async () => {
    const got: Uint8Array[] = [];
    await bus.consume({
      durable: 'exact',
      subjects: ['>'],
      handle: async (events) => void got.push(...events.map((event) => event.slice())),
    });
    const every = Uint8Array.from(numbers(256));
    const large = numbers(30).map((n) => new Uint8Array(100_000).fill(n));
    await bus.publish({ subject: 'message.sent', id: 'bytes', events: [new Uint8Array(), every, ...large] });
    await eventually(() => got.length === 32);
    expect(got[0]!.length).toBe(0);
    expect(Buffer.from(got[1]!).equals(Buffer.from(every))).toBe(true);
    expect(got.slice(2).map((event) => [event.length, event[0], event[99_999]])).toEqual(
      numbers(30).map((n) => [100_000, n, n]),
    );
  });

  test('refuses malformed subjects', async () => {
    for (const subject of ['', 'a..b', 'a.*', 'a b', '>', 'a.', '.a', 'ü']) {
      await expect(bus.publish({ subject, id: 'x', events: [bytes('a')] })).rejects.toMatchObject({
        kind: 'internal',
      });
    }
    for (const filter of ['', 'a..b', 'a.>.b', 'a*', '>>']) {
      await expect(
        bus.consume({ durable: 'x', subjects: [filter], handle: async () => {} }),
      ).rejects.toMatchObject({ kind: 'internal' });
    }
  });

  test('signals every subscriber, never inside the caller, until it unsubscribes', async () => {
    const received: string[] = [];
    const subscription = bus.onSignal('wake.*', (payload) => void received.push(`one ${text(payload)}`));
    bus.onSignal('wake.ada', () => {
      throw new Error('a listener that fails');
    });
    bus.onSignal('wake.ada', (payload) => void received.push(`two ${text(payload)}`));
    bus.onSignal('other', () => void received.push('other'));
    await bus.publish({ subject: 'flush', id: `flush-${home}`, events: [bytes('')] });
    bus.signal('wake.ada', bytes('hello'));
    expect(received).toEqual([]);
    await eventually(() => received.length === 2);
    expect(received.toSorted()).toEqual(['one hello', 'two hello']);
    await subscription.stop();
    bus.signal('wake.ada', bytes('again'));
    await eventually(() => received.length === 3);
    await delay(30);
    expect(received[2]).toBe('two again');
    expect(() => bus.signal('not a subject', bytes(''))).not.toThrow();
  });

  test('resolves once every listener has heard a signal', async () => {
    let heard = 0;
    bus.onSignal('rule', () => void heard++);
    bus.onSignal('rule', () => void heard++);
    for (let sent = 1; sent <= 20; sent++) {
      bus.signal('rule', bytes(''));
      await bus.heard();
      expect(heard).toBe(2 * sent);
    }
  });

  test('is healthy until it is closed, then refuses', async () => {
    const { subscription } = await receiving('closing', ['>']);
    expect(bus.health()).toEqual({ ok: true });
    await bus.close();
    expect(bus.health()).toEqual({ ok: false, reason: 'the bus is closed' });
    await expect(publish('message.sent', 'a')).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(
      bus.consume({ durable: 'x', subjects: ['>'], handle: async () => {} }),
    ).rejects.toMatchObject({ kind: 'unavailable' });
    await subscription.stop();
    await bus.close();
  });
});
