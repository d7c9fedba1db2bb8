import { setTimeout as delay } from 'node:timers/promises';
import { recordTelemetry } from '@hearth/telemetry/testing';
import { eventually } from '@hearth/testkit';
import { freePort } from '@hearth/testkit/free-port';
import { startNats } from '@hearth/testkit/nats';
import { startTcpProxy } from '@hearth/testkit/tcp-proxy';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Bus, Confirmed, Published } from './bus.ts';
import type { NatsBusOptions } from './nats.ts';
import { bytes, createTestBus, notingLog, numbers, text } from './test-support.ts';

describe('the bus over NATS', () => {
  let server: Awaited<ReturnType<typeof startNats>>;
  let buses: Bus[] = [];
  let connections: NatsConnection[] = [];

  beforeEach(async () => {
    server = await startNats();
  });

  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
    await Promise.all(connections.map((connection) => connection.close()));
    buses = [];
    connections = [];
    await server.stop();
  });

  async function createBus(options: Partial<NatsBusOptions> = {}) {
    const log = notingLog();
    const bus = await createTestBus({ url: server.url, log, publishDeadline: 1_000, ...options });
    buses.push(bus);
    return { bus, log };
  }

  async function operator(): Promise<{ connection: NatsConnection; manager: JetStreamManager }> {
    const connection = await connect({ servers: server.url });
    connections.push(connection);
    return { connection, manager: await jetstreamManager(connection) };
  }

  async function receiving(bus: Bus, handle: (words: string[]) => Promise<void> | void = () => {}) {
    const received: string[] = [];
    await bus.consume({
      durable: 'delivery',
      subjects: ['message.>'],
      async handle(events) {
        const words = events.map(text);
        await handle(words);
        received.push(...words);
      },
    });
    return received;
  }

  /** Publishes like an outbox: retries the batch until it is confirmed. */
  async function publishSurely(bus: Bus, word: string): Promise<Published> {
    for (;;) {
      try {
        return await bus.publish({ subject: 'message.sent', id: `id-${word}`, events: [bytes(word)] });
      } catch (error) {
        expect(error).toMatchObject({ kind: 'unavailable' });
        await delay(20);
      }
    }
  }

  test('loses nothing and keeps the order when the server is killed under traffic and comes back', async () => {
    const { bus } = await createBus();
    const reconnections: object[] = [];
    bus.onReconnect((reconnection) => void reconnections.push(reconnection));
    const epoch = bus.epoch();
    const received = await receiving(bus);
    const publishing = (async () => {
      for (const n of numbers(300)) {
        await publishSurely(bus, String(n));
        await delay(2);
      }
    })();
    await eventually(() => received.length > 50);
    await server.kill();
    await eventually(() => !bus.health().ok);
    expect(bus.health().reason).toMatch(/connection to NATS at 127\.0\.0\.1:\d+ is lost since 20/);
    await expect(
      bus.publish({ subject: 'message.sent', id: 'lost', events: [bytes('lost')] }),
    ).rejects.toMatchObject({
      kind: 'unavailable',
    });
    await server.start();
    await publishing;
    await eventually(() => new Set(received).size >= 300);
    // Events may be redelivered; the first delivery of each is in order.
    expect([...new Set(received)]).toEqual(numbers(300).map(String));
    expect(reconnections).toEqual([{ logLost: false }]);
    expect(bus.epoch()).toBe(epoch);
    expect(bus.health()).toEqual({ ok: true });
  });

  test('recreates its stream and durable after the data was wiped, reports it, and continues', async () => {
    const { bus: publisher } = await createBus();
    const { bus: consumer, log } = await createBus();
    const lost: boolean[] = [];
    publisher.onReconnect(({ logLost }) => void lost.push(logLost));
    consumer.onReconnect(({ logLost }) => void lost.push(logLost));
    const epoch = publisher.epoch();
    expect(consumer.epoch()).toBe(epoch);
    const received = await receiving(consumer);
    await publishSurely(publisher, 'before');
    await eventually(() => received.length === 1);
    await server.kill();
    await server.wipe();
    await server.start();
    await publishSurely(publisher, 'after');
    await eventually(() => received.length === 2);
    expect(received).toEqual(['before', 'after']);
    await eventually(() => lost.length === 2);
    expect(lost).toEqual([true, true]);
    expect(publisher.epoch()).not.toBe(epoch);
    expect(consumer.epoch()).toBe(publisher.epoch());
    expect(log.entries.some(({ message }) => message.includes('published anew'))).toBe(true);
  });

  test('does not take the end of an old handling for that of a recreated log', async () => {
    const { bus } = await createBus();
    const releases: (() => void)[] = [];
    const received = await receiving(bus, () => new Promise((resolve) => void releases.push(resolve)));
    await publishSurely(bus, 'old');
    await eventually(() => releases.length === 1);
    await server.kill();
    await server.wipe();
    await server.start();
    await publishSurely(bus, 'new');
    const { manager } = await operator();
    const pending = async () => (await manager.consumers.info('home-event', 'delivery')).num_ack_pending;
    await eventually(() => bus.health().ok);
    while ((await pending().catch(() => 0)) === 0) await delay(20);
    releases[0]!();
    await eventually(() => releases.length === 2);
    await delay(100);
    expect(await pending()).toBe(1);
    releases[1]!();
    await eventually(() => received.length === 2);
    while ((await pending()) !== 0) await delay(20);
  });

  test('keeps a long handling, and the events queued behind it, from other replicas', async () => {
    const { bus: slow } = await createBus({ limits: { ackWait: 1_000 } });
    const first = await receiving(slow, async () => delay(3_000));
    for (const word of ['a', 'b']) await publishSurely(slow, word);
    await delay(50);
    for (const word of ['c', 'd']) await publishSurely(slow, word);
    const { bus: idle } = await createBus({ limits: { ackWait: 1_000 } });
    const second = await receiving(idle);
    await eventually(() => first.length + second.length >= 4);
    await delay(1_500);
    expect([...first, ...second].toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('handles events in flight, or hands them to another replica at once, when a replica stops', async () => {
    // A batch lost in transit would not be redelivered within this test.
    const limits = { ackWait: 3_600_000 };
    const port = await freePort();
    const line = await startTcpProxy(port, Number(new URL(server.url).port));
    const { bus: leaving } = await createBus({ limits, url: `nats://127.0.0.1:${port}` });
    const { bus: staying } = await createBus({ limits });
    const left = await receiving(leaving);
    await publishSurely(staying, 'first');
    await eventually(() => left.length === 1);
    line.set({ cut: 'answers' });
    const words = Array.from({ length: 20 }, (_, word) => `${word}`);
    for (const word of words) await publishSurely(staying, word);
    const { manager } = await operator();
    await eventually(
      async () => (await manager.consumers.info('home-event', 'delivery')).num_ack_pending,
      (count) => count >= words.length,
    );
    const closing = leaving.close();
    line.set({ cut: 'none' });
    const stayed = await receiving(staying);
    await eventually(() => new Set([...left, ...stayed]).size === 1 + words.length);
    await closing;
    await line.stop();
  });

  test('hands the events of a dead replica to another one', async () => {
    const { bus: publisher } = await createBus();
    const before = await publisher.consume({
      durable: 'delivery',
      subjects: ['message.>'],
      handle: async () => {},
    });
    await before.stop();
    await publishSurely(publisher, 'a');
    // Takes the batch and never answers, like a process that dies while handling it.
    const { connection } = await operator();
    const durable = await jetstream(connection).consumers.get('home-event', 'delivery');
    expect(await durable.next({ expires: 1_000 })).not.toBeNull();
    await connection.close();
    const { bus: living } = await createBus();
    const received = await receiving(living);
    await eventually(() => received.length === 1);
    expect(received).toEqual(['a']);
  });

  test('refuses while the server hangs, and continues when it responds again', async () => {
    const { bus } = await createBus();
    const received = await receiving(bus);
    await publishSurely(bus, 'a');
    server.freeze();
    await expect(
      bus.publish({ subject: 'message.sent', id: 'id-b', events: [bytes('b')] }),
    ).rejects.toMatchObject({
      kind: 'unavailable',
    });
    server.resume();
    await publishSurely(bus, 'b');
    await eventually(() => received.length === 2);
    await delay(300);
    expect(received).toEqual(['a', 'b']);
  });

  test('refuses new events when the log is full, and accepts them once handled events are trimmed', async () => {
    const { bus, log } = await createBus({ limits: { maxBytes: 200_000 } });
    let blocked = true;
    let handled = 0;
    await bus.consume({
      durable: 'delivery',
      subjects: ['message.>'],
      async handle(events) {
        while (blocked) await delay(10);
        handled += events.length;
      },
    });
    const publish = (n: number) =>
      bus.publish({ subject: 'message.sent', id: `full-${n}`, events: [new Uint8Array(10_000)] });
    let refused = -1;
    for (let n = 0; refused < 0; n += 1) {
      await publish(n).catch((error) => {
        expect(error).toMatchObject({ kind: 'unavailable' });
        expect(error.message).toContain('full');
        refused = n;
      });
    }
    expect(refused).toBeGreaterThan(15);
    expect(refused).toBeLessThan(20);
    await eventually(() => log.entries.some(({ message }) => message.includes('a consumer lags')));
    blocked = false;
    await eventually(() => handled === refused);
    await delay(50);
    // The first refusal triggers a trim; an outbox would publish again.
    await publish(refused).catch(() => delay(200));
    await publish(refused);
    await eventually(() => handled === refused + 1);
  });

  test('recreates its stream when an operator deletes it at runtime', async () => {
    const { bus } = await createBus();
    const received = await receiving(bus);
    await publishSurely(bus, 'a');
    await eventually(() => received.length === 1);
    const { manager } = await operator();
    await manager.streams.delete('home-event');
    await publishSurely(bus, 'b');
    await eventually(() => received.length === 2);
    expect(received).toEqual(['a', 'b']);
  });

  test('applies new limits to an existing stream, and never deletes its events', async () => {
    const { bus: before } = await createBus();
    await publishSurely(before, 'a');
    const { bus: after } = await createBus({ limits: { maxBytes: 5_000_000, maxAge: 60_000 } });
    const { manager } = await operator();
    const { config, state } = await manager.streams.info('home-event');
    expect(config).toMatchObject({
      max_bytes: 5_000_000,
      max_age: 60_000_000_000,
      duplicate_window: 60_000_000_000,
    });
    expect(state.messages).toBe(1);
    expect(after.epoch()).toBe(before.epoch());
  });

  test('lets a durable change its subjects', async () => {
    const { bus } = await createBus();
    const receive = (subjects: string[], received: string[]) =>
      bus.consume({
        durable: 'delivery',
        subjects,
        handle: async (events) => void received.push(...events.map(text)),
      });
    const before: string[] = [];
    const first = await receive(['message.sent'], before);
    await publishSurely(bus, 'a');
    await eventually(() => before.length === 1);
    await first.stop();
    const after: string[] = [];
    await receive(['card.changed', 'message.sent'], after);
    await bus.publish({ subject: 'card.changed', id: 'card', events: [bytes('card')] });
    await eventually(() => after.length === 1);
    expect(after).toEqual(['card']);
  });

  test('stores a batch that is published twice under one id only once', async () => {
    const { bus } = await createBus();
    const received = await receiving(bus);
    for (const word of ['a', 'a', 'b', 'a']) await publishSurely(bus, word);
    await eventually(() => received.includes('b'));
    await delay(100);
    expect(received).toEqual(['a', 'b']);
  });

  test('splits an oversized batch in order, and refuses a single oversized event', async () => {
    const { bus } = await createBus();
    const sizes: number[] = [];
    await bus.consume({
      durable: 'sizes',
      subjects: ['>'],
      handle: async (events) => void sizes.push(...events.map((event) => event.length)),
    });
    const large = numbers(12).map((n) => new Uint8Array(300_000 + n));
    await bus.publish({ subject: 'message.sent', id: 'large', events: large });
    await bus.publish({ subject: 'message.sent', id: 'large', events: large });
    await eventually(() => sizes.length >= 12);
    await delay(200);
    expect(sizes).toEqual(numbers(12, 300_000));
    const huge = new Uint8Array(1024 * 1024);
    const events = [new Uint8Array(20), huge, new Uint8Array(21)];
    const { refused } = await bus.publish({ subject: 'message.sent', id: 'huge', events });
    expect(refused).toMatchObject([{ error: { kind: 'too_large' } }]);
    expect(refused[0]!.event).toBe(huge);
    await eventually(() => sizes.length >= 14);
    expect(sizes.slice(12)).toEqual([20, 21]);
  });

  describe('a log that came back without events that it had confirmed', () => {
    /** Like an outbox, with the last event confirmed to it. */
    async function publisher() {
      const { bus } = await createBus();
      const lives: boolean[] = [];
      bus.onReconnect(({ logLost }) => void lives.push(logLost));
      const epoch = bus.epoch();
      let last: Confirmed;
      return {
        bus,
        epoch,
        lost: () => lives.includes(true),
        async publish(...words: string[]) {
          for (const word of words) last = (await publishSurely(bus, word)).last!;
        },
        verify: () => bus.verify(epoch, [last]),
      };
    }

    async function fallBack(putBack: () => Promise<void>): Promise<void> {
      await server.kill();
      await putBack();
      await server.start();
    }

    async function copy(): Promise<() => Promise<void>> {
      await server.kill();
      const putBack = await server.copy();
      await server.start();
      return putBack;
    }

    test('starts a new epoch, and every process of the home learns of it', async () => {
      const [one, other] = [await publisher(), await publisher()];
      // After a restore, the server may redeliver events that were handled before.
      const received = await receiving(one.bus);
      await one.publish('a', 'b');
      await other.publish('c');
      await eventually(() => new Set(received).size === 3);
      const putBack = await copy();
      await one.publish('d', 'e');
      await one.verify();
      await other.verify();
      expect([one.lost(), other.lost()]).toEqual([false, false]);
      await eventually(() => new Set(received).size === 5);
      await fallBack(putBack);
      // It lost nothing, and its next event gets the number of a lost one.
      await other.verify();
      await other.publish('f', 'g', 'h');
      expect(one.bus.epoch()).toBe(one.epoch);
      await one.verify();
      expect(one.lost()).toBe(true);
      expect(one.bus.epoch()).not.toBe(one.epoch);
      await other.verify();
      expect(other.lost()).toBe(true);
      expect(other.bus.epoch()).toBe(one.bus.epoch());
      const { bus: later } = await createBus();
      expect(later.epoch()).toBe(one.bus.epoch());
      await eventually(() => new Set(received).size === 8);
      // Checked again in the new life: nothing is missing.
      const { last } = await publishSurely(one.bus, 'd again');
      await one.bus.verify(one.bus.epoch(), [last!]);
      expect(one.bus.epoch()).toBe(later.epoch());
      await eventually(() => received.includes('d again'));
    });

    test('is detected when the stream was purged by hand, but not when handled events were trimmed', async () => {
      const { bus } = await createBus({ limits: { maxBytes: 100_000 } });
      const received = await receiving(bus);
      const epoch = bus.epoch();
      // The consumer makes room, which takes time on a busy machine.
      const send = (id: string) =>
        eventually(() =>
          bus
            .publish({ subject: 'message.sent', id, events: [new Uint8Array(10_000)] })
            .catch(() => undefined),
        );
      const { last: first } = await send('first');
      for (let n = 0; n < 12; n += 1) await send(`id-${n}`);
      await eventually(() => received.length === 13);
      const { manager } = await operator();
      expect((await manager.streams.info('home-event')).state.first_seq).toBeGreaterThan(first!.position);
      const { last } = await send('last');
      await bus.verify(epoch, [last!, first!]);
      expect(bus.epoch()).toBe(epoch);
      await manager.streams.purge('home-event');
      await bus.verify(epoch, [last!]);
      expect(bus.epoch()).not.toBe(epoch);
    });
  });

  test('skips a foreign message and continues', async () => {
    const { bus, log } = await createBus();
    const received = await receiving(bus);
    const { connection } = await operator();
    connection.publish('home.event.message.sent', 'rubbish');
    await connection.flush();
    await publishSurely(bus, 'a');
    await eventually(() => received.length === 1);
    expect(log.entries.filter(({ message }) => message.includes('not ours')).length).toBe(1);
  });

  test('refuses and counts events and signals of another home under its own subjects', async () => {
    const telemetry = await recordTelemetry();
    const { bus, log } = await createBus();
    // At startup it asks which processes there are.
    const { bus: stranger } = await createBus({ key: new Uint8Array(32) });
    const received = await receiving(bus);
    const signals: string[] = [];
    bus.onSignal('>', (payload) => void signals.push(text(payload)));
    const { connection } = await operator();
    const overheard: { subject: string; data: Uint8Array }[] = [];
    connection.subscribe('home.>', { callback: (_, message) => void overheard.push(message) });
    await connection.flush();
    await stranger.publish({ subject: 'message.sent', id: 'forged', events: [bytes('forged')] });
    stranger.signal('credentials', bytes('forged'));
    bus.signal('people', bytes('anna'));
    await publishSurely(bus, 'a');
    await eventually(() => received.length === 1 && signals.length === 1);
    // The home's own message is valid only under its subject.
    const said = overheard.find(({ data }) => text(data).endsWith('anna'))!;
    connection.publish('home.signal.credentials', said.data);
    await connection.flush();
    await eventually(() => log.entries.filter(({ level }) => level === 'error').length === 4);
    expect({ received, signals }).toEqual({ received: ['a'], signals: ['anna'] });
    const metrics = await telemetry.metrics();
    const counted = metrics.find(({ descriptor }) => descriptor.name === 'hearth.bus.foreign_messages');
    expect(counted?.dataPoints.map(({ value }) => value)).toEqual([4]);
    await telemetry.stop();
  });

  test('keeps homes on one server apart', async () => {
    const { bus: one } = await createBus({ prefix: 'one_example' });
    const { bus: two } = await createBus({ prefix: 'two_example' });
    const heardByOne = await receiving(one);
    const heardByTwo = await receiving(two);
    const signals: string[] = [];
    one.onSignal('>', (payload) => void signals.push(`one ${text(payload)}`));
    two.onSignal('>', (payload) => void signals.push(`two ${text(payload)}`));
    await publishSurely(one, 'a');
    await publishSurely(two, 'b');
    one.signal('wake', bytes('x'));
    await eventually(() => heardByOne.length + heardByTwo.length + signals.length >= 3);
    await delay(50);
    expect([heardByOne, heardByTwo, signals]).toEqual([['a'], ['b'], ['one x']]);
  });

  test('carries signals between processes, drops them during an outage of the server, and carries them again afterwards', async () => {
    const { bus: from } = await createBus();
    const { bus: to } = await createBus();
    const received: string[] = [];
    to.onSignal('wake.*', (payload) => void received.push(text(payload)));
    await publishSurely(to, 'flush');
    from.signal('wake.a', bytes('first'));
    await eventually(() => received.length === 1);
    await server.kill();
    await eventually(() => !from.health().ok && !to.health().ok);
    from.signal('wake.a', bytes('lost'));
    await server.start();
    await eventually(() => from.health().ok && to.health().ok);
    from.signal('wake.a', bytes('second'));
    await eventually(() => received.length === 2);
    expect(received).toEqual(['first', 'second']);
  });

  test('closes while the server is away, without waiting for it', async () => {
    const { bus } = await createBus();
    await receiving(bus);
    await server.kill();
    await eventually(() => !bus.health().ok);
    await bus.close();
    await server.start();
  });
});

test('a bus reports after its deadline that no server answers', async () => {
  await expect(createTestBus({ url: 'nats://user:secret@127.0.0.1:1', startDeadline: 600 })).rejects.toThrow(
    'no NATS server answers at 127.0.0.1:1 since 600 ms; is NATS_URL right and the server up?',
  );
});

test('a bus waits for a server that starts later, and connects at once', async () => {
  const server = await startNats();
  await server.kill();
  const log = notingLog();
  const asked = new AbortController();
  const options = { url: server.url, log };
  const starting = createTestBus(options);
  const ended = expect(createTestBus({ ...options, signal: asked.signal })).rejects.toThrow('aborted');
  await delay(400);
  expect(log.entries.map(({ level, message }) => `${level} ${message}`)).toEqual(
    Array(2).fill(`warn waiting for NATS: no server answers at ${new URL(server.url).host} yet (NATS_URL)`),
  );
  asked.abort();
  await ended;
  await server.start();
  const bus = await starting;
  await bus.close();
  await server.stop();
});

test('a bus also waits for an event log that does not answer yet', async () => {
  const server = await startNats({ jetstream: false });
  // Receives the requests to JetStream without answering.
  const silent = await connect({ servers: server.url });
  const questions = silent.subscribe('$JS.API.>');
  await silent.flush();
  const log = notingLog();
  const options = { url: server.url, log };
  const asked = new AbortController();
  const ended = expect(createTestBus({ ...options, signal: asked.signal })).rejects.toThrow('aborted');
  const refused = expect(createTestBus(options)).rejects.toThrow('needs JetStream on');
  await eventually(() => log.entries.length === 2);
  expect(log.entries[0]?.message).toContain('does not answer yet');
  asked.abort();
  await ended;
  questions.unsubscribe();
  await refused;
  await silent.close();
  await server.stop();
}, 60_000);

test('a bus reports that the server has no JetStream', async () => {
  const server = await startNats({ jetstream: false });
  await expect(createTestBus({ url: server.url })).rejects.toThrow(
    /gives no event log .* needs JetStream on/,
  );
  await server.stop();
});
