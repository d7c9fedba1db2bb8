import { setTimeout as sleep } from 'node:timers/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import { systemClock } from '@hearth/clock';
import { createHold, createWatchers, type Watchers } from '@hearth/delivery/hold';
import { createHolds, type Hold, type Holds, type Reply } from '@hearth/gateway/hold';
import { ResponseMetadataSchema } from '@hearth/proto/batch/v1/batch';
import { CarriedSchema, DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { createClient, createDispatcher } from '@hearth/rpc';
import { createRemoteChannel, createRpcServer, type RpcServer } from '@hearth/rpc/grpc';
import { createLogger } from '@hearth/telemetry';
import { eventually } from '@hearth/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const log = createLogger({ level: 'error', service: 'test', stream: { write: () => {} } });
const secret = 'a secret of this home';

/** A growing list, and the topic woken when it grows, as an operation has them. */
function mailbox(topic: string) {
  const items: string[] = [];
  let asked = 0;
  const ask = async (): Promise<Reply<string[]>> => {
    asked += 1;
    const answer = [...items];
    await beforeAnswer?.();
    return {
      answer,
      metadata: create(ResponseMetadataSchema, { waitTopics: answer.length === 0 ? [topic] : [] }),
    };
  };
  let beforeAnswer: (() => Promise<void>) | undefined;
  return {
    ask,
    asked: () => asked,
    put(item: string) {
      items.push(item);
      watchers.wake([topic]);
    },
    putUnheard: (item: string) => void items.push(item),
    /** Runs between the read and the answer of the following asks. */
    meanwhile(work: (() => Promise<void>) | undefined) {
      beforeAnswer = work;
    },
  };
}

let watchers: Watchers;
let server: RpcServer;
let port = 0;
let channel: ReturnType<typeof createRemoteChannel>;
let holds: Holds;
let signalsTravel: boolean;

async function startDelivery(): Promise<void> {
  watchers = createWatchers();
  const dispatcher = createDispatcher({ clock: systemClock, onUnexpected: () => {} });
  dispatcher.add(DeliveryService, { hold: createHold(watchers), sendMail: async () => ({}) });
  server = await createRpcServer({
    dispatcher,
    address: `127.0.0.1:${port}`,
    services: ['delivery'],
    secret,
    clock: systemClock,
  });
  port = server.port;
}

beforeEach(async () => {
  port = 0;
  await startDelivery();
  signalsTravel = true;
  connect(`127.0.0.1:${port}`);
});

function connect(address: string): void {
  channel = createRemoteChannel({
    address,
    service: 'gateway',
    peer: 'delivery',
    secret,
    clock: systemClock,
  });
  const delivery = createClient(DeliveryService, { channel, service: 'gateway', clock: systemClock });
  holds = createHolds({
    ...{ delivery, clock: systemClock, log, signalsTravel: () => signalsTravel },
    // Even on a busy machine, watching starts before the first hold.
    watchTimeoutMs: 20_000,
  });
}

afterEach(async () => {
  await holds.drain(0);
  holds.close();
  await channel.close();
  await server.stop(0);
});

const hold = (ask: Hold<string[]>['ask'], rest: Partial<Hold<string[]>> = {}): Promise<Reply<string[]>> =>
  holds.answer({
    operation: 'list_messages',
    owner: 'someone',
    openWaits: 100,
    concerns: [],
    waitMs: 5_000,
    client: { gone: () => false, onGone: () => () => {} },
    ask,
    ...rest,
  });

/** Longer than a test: an answer before then was caused by a wake. */
const forever = 120_000;

/** Parks a request, and disconnects its client. */
async function parkOnce(ask: Hold<string[]>['ask']): Promise<void> {
  let leave = () => {};
  const onGone = (hear: () => void) => {
    leave = hear;
    return () => {};
  };
  const answer = hold(ask, { waitMs: forever, client: { gone: () => false, onGone } });
  await eventually(() => holds.held() === 1);
  leave();
  await answer;
}

/** A request that is held for a mailbox, and will be answered. */
async function held(rest?: Partial<Hold<string[]>>) {
  const box = mailbox('a');
  const answer = hold(box.ask, rest);
  await eventually(() => holds.held() === 1);
  return { box, answer };
}

/** The first request starts watching; answers are cached once delivery confirms it. */
const untilKept = (look: () => Promise<unknown>, asked: () => number) =>
  eventually(async () => {
    const before = asked();
    await look();
    return asked() === before;
  });

describe('a held request', () => {
  test('is answered at once when there is something', async () => {
    const box = mailbox('a');
    box.put('one');
    expect((await hold(box.ask)).answer).toEqual(['one']);
    expect(box.asked()).toBe(1);
  });

  test('is answered as soon as its topic is woken', async () => {
    const { box, answer } = await held({ waitMs: forever });
    box.put('one');
    expect((await answer).answer).toEqual(['one']);
    expect(box.asked()).toBe(3);
    expect(holds.held()).toBe(0);
  });

  test('queries twice before it parks for the first time, and once while its topic is watched', async () => {
    const box = mailbox('a');
    await parkOnce(box.ask);
    expect(box.asked()).toBe(2);
    await parkOnce(box.ask);
    expect(box.asked()).toBe(3);
  });

  test('sees an event between the query and the park', async () => {
    const box = mailbox('a');
    await parkOnce(box.ask);
    box.meanwhile(async () => {
      box.meanwhile(undefined);
      box.put('in between');
      await sleep(50);
    });
    expect((await hold(box.ask, { waitMs: forever })).answer).toEqual(['in between']);
  });

  test('queries once more at its end when a wake may have been lost', async () => {
    const { box, answer } = await held({ waitMs: 300 });
    signalsTravel = false;
    box.putUnheard('one');
    expect((await answer).answer).toEqual(['one']);
    expect(box.asked()).toBe(3);
  });

  test('queries at its end even without delivery', async () => {
    const { box, answer } = await held({ waitMs: 400 });
    await server.stop(0);
    box.putUnheard('one');
    expect((await answer).answer).toEqual(['one']);
    await startDelivery();
  });

  test('wakes only holders of the topic', async () => {
    const boxes = Array.from({ length: 50 }, (_, index) => mailbox(`topic ${index}`));
    const answers = boxes.map((box) => hold(box.ask, { waitMs: forever }));
    await eventually(() => holds.held() === 50);
    const before = boxes.map((box) => box.asked());
    boxes[7]!.put('for seven');
    expect((await answers[7]!).answer).toEqual(['for seven']);
    expect(boxes.map((box, index) => box.asked() - before[index]!)).toEqual(
      boxes.map((_, index) => (index === 7 ? 1 : 0)),
    );
    void holds.drain(0);
    await Promise.all(answers);
  });

  test('ends empty at its timeout', async () => {
    const start = performance.now();
    expect((await hold(mailbox('a').ask, { waitMs: 300 })).answer).toEqual([]);
    expect(performance.now() - start).toBeGreaterThanOrEqual(290);
  });

  test('ends when the client goes away', async () => {
    let leave = () => {};
    const client = {
      gone: () => false,
      onGone: (hear: () => void) => {
        leave = hear;
        return () => {};
      },
    };
    const answer = hold(mailbox('a').ask, { client });
    await eventually(() => holds.held() === 1);
    leave();
    expect((await answer).answer).toEqual([]);
    expect(holds.held()).toBe(0);
  });

  test("beyond the owner's maximum closes the owner's oldest request, and no one else's", async () => {
    const box = mailbox('a');
    const stranger = hold(mailbox('b').ask, { owner: 'another', openWaits: 1 });
    const first = hold(box.ask, { openWaits: 1 });
    await eventually(() => holds.held() === 2);
    const second = hold(box.ask, { openWaits: 1 });
    expect((await first).answer).toEqual([]);
    await eventually(() => holds.held() === 2);
    box.put('one');
    expect((await second).answer).toEqual(['one']);
    void holds.drain(0);
    await stranger;
  });

  test('that is closed by a newer one says so, and other ends do not', async () => {
    const box = mailbox('a');
    const [first, second] = [hold(box.ask, { openWaits: 1 }), hold(box.ask, { openWaits: 1, waitMs: 500 })];
    expect((await first).superseded).toBe(true);
    expect((await second).superseded).toBeUndefined();
  });

  test('for different data does not close others within the maximum', async () => {
    const ended: string[] = [];
    const wait = (operation: string) =>
      void hold(mailbox(operation).ask, { operation, openWaits: 3, waitMs: forever }).then(() =>
        ended.push(operation),
      );
    for (const [index, operation] of ['get_approval', 'wait_for_event', 'list_messages'].entries()) {
      wait(operation);
      await eventually(() => holds.held() === index + 1);
    }
    for (const operation of ['list_messages', 'list_messages', 'wait_for_event']) wait(operation);
    await eventually(() => ended.length === 3);
    expect(ended.sort()).toEqual(['list_messages', 'list_messages', 'wait_for_event']);
    expect(holds.held()).toBe(3);
  });

  test.each([2, 10])(
    '%i loops of one owner close each other once a second, and each receives new data',
    async (loops) => {
      const box = mailbox('a');
      const answers: Reply<string[]>[] = [];
      const heard: string[][] = [];
      const loop = async () => {
        for (;;) {
          const reply = await hold(box.ask, { openWaits: 1, waitMs: forever });
          if (reply.answer.length > 0) return void heard.push(reply.answer);
          answers.push(reply);
        }
      };
      const running = Promise.all(Array.from({ length: loops }, loop));
      await sleep(2_500);
      expect(answers.length).toBeGreaterThanOrEqual(4);
      expect(answers.length).toBeLessThanOrEqual(3 + 3);
      expect(answers.every(({ superseded }) => superseded)).toBe(true);
      box.put('one');
      await running;
      expect(heard).toEqual(Array.from({ length: loops }, () => ['one']));
    },
  );

  test('a drain answers every request, and holds none afterwards', async () => {
    const answers = Array.from({ length: 20 }, (_, index) => hold(mailbox(`${index}`).ask));
    await eventually(() => holds.held() === 20);
    void holds.drain(0);
    expect((await Promise.all(answers)).map(({ answer }) => answer)).toEqual(answers.map(() => []));
    expect((await hold(mailbox('late').ask, { waitMs: forever })).answer).toEqual([]);
  });

  test('a drain spreads the answers evenly over the given time', async () => {
    const answers = Array.from({ length: 20 }, (_, index) =>
      hold(mailbox(`${index}`).ask, { waitMs: forever }),
    );
    await eventually(() => holds.held() === 20);
    const drained = holds.drain(1_000);
    const seen = new Set<number>();
    const look = setInterval(() => seen.add(holds.held()), 1);
    await drained;
    clearInterval(look);
    await Promise.all(answers);
    // One in each step of 50 ms, as far as this machine allowed.
    expect(seen.size).toBeGreaterThan(4);
    expect((await hold(mailbox('late').ask, { waitMs: forever })).answer).toEqual([]);
  });

  test('survives an outage of delivery, and finds meanwhile events when it is back', async () => {
    const { box, answer } = await held({ waitMs: 10_000 });
    await server.stop(0);
    box.put('while nobody listened');
    await startDelivery();
    expect((await answer).answer).toEqual(['while nobody listened']);
  });

  test('a stopping delivery redirects its gateways, without new queries or missed events', async () => {
    const first = { watchers, server };
    holds.close();
    await channel.close();
    port = 0;
    await startDelivery();
    const second = { watchers, server };
    connect(`127.0.0.1:${first.server.port},127.0.0.1:${port}`);
    const { box, answer } = await held({ waitMs: forever });
    await eventually(() => first.watchers.size().watchers + second.watchers.size().watchers === 1);
    // Round robin may pick either.
    const [from, to] = first.watchers.size().watchers === 1 ? [first, second] : [second, first];
    ({ watchers, server } = to);
    const before = box.asked();
    // How long it would wait for a gateway that does not leave.
    await from.server.stop(forever);
    expect(to.watchers.size()).toEqual({ watchers: 1, topics: 1 });
    expect(box.asked()).toBe(before);
    box.put('after the move');
    expect((await answer).answer).toEqual(['after the move']);
    expect(box.asked()).toBe(before + 1);
  });
});

describe('a poll that continues where the last one ended', () => {
  /** Numbered messages: with `since`, it returns the later ones and says when they are complete. */
  function thread(topic: string) {
    let last = 0;
    let asked = 0;
    const poll = (since: number, waitMs = 5_000) =>
      hold(
        async () => {
          asked += 1;
          const answer = Array.from({ length: last - since }, (_, index) => String(since + index + 1));
          const metadata =
            answer.length === 0
              ? create(ResponseMetadataSchema, { waitTopics: [topic] })
              : create(ResponseMetadataSchema, { caughtUpAfter: answer.at(-1)!, caughtUpTopics: [topic] });
          return { answer, metadata };
        },
        { waitMs, series: { question: topic, since: String(since) } },
      );
    return {
      poll,
      asked: () => asked,
      put() {
        last += 1;
        watchers.wake([topic]);
      },
    };
  }

  /** Polls until the topic is watched, so that the rest depends only on the series. */
  async function watched() {
    const talk = thread(`thread ${Math.random()}`);
    talk.put();
    await talk.poll(1, 50);
    await talk.poll(0);
    return talk;
  }

  test('parks without a query, and queries when woken', async () => {
    const talk = await watched();
    const before = talk.asked();
    const answer = talk.poll(1);
    await eventually(() => holds.held() === 1);
    expect(talk.asked()).toBe(before);
    talk.put();
    expect((await answer).answer).toEqual(['2']);
    expect(talk.asked()).toBe(before + 1);
  });

  test('queries at once when an event came between the polls', async () => {
    const talk = await watched();
    talk.put();
    await sleep(50);
    expect((await talk.poll(1, 100)).answer).toEqual(['2']);
  });

  test('queries at its end, independently of wakes', async () => {
    const talk = await watched();
    const before = talk.asked();
    expect((await talk.poll(1, 100)).answer).toEqual([]);
    expect(talk.asked()).toBe(before + 1);
  });

  test('from another position queries at once', async () => {
    const talk = await watched();
    expect((await talk.poll(0)).answer).toEqual(['1']);
  });

  test('queries when delivery was lost between the polls', async () => {
    const talk = await watched();
    await server.stop(0);
    talk.put();
    await sleep(100);
    expect((await talk.poll(1, 100)).answer).toEqual(['2']);
    await startDelivery();
  });
});

describe('a wake with a payload', () => {
  const later = () => BigInt(systemClock.now() + 10_000);

  /** A mailbox whose wake carries the next item; it is only read if the wake is not certain. */
  async function held(since = '1') {
    const topic = `carried ${Math.random()}`;
    let asked = 0;
    const poll = (from: string) =>
      hold(
        async () => {
          asked += 1;
          const waits = asked < 3 ? { waitTopics: [topic] } : {};
          return {
            answer: ['asked'],
            metadata: create(ResponseMetadataSchema, { ...waits, takesCarried: true }),
          };
        },
        {
          series: { question: topic, since: from },
          take: async (bytes) => [Buffer.from(bytes).toString()],
        },
      );
    const answer = poll(since);
    await eventually(() => holds.held() === 1);
    const before = asked;
    return {
      ...{ answer, poll },
      asked: () => asked - before,
      carry(given: { since: string; at: bigint }) {
        const carried = { ...given, answer: Buffer.from('carried'), caughtUpAfter: '2' };
        watchers.wake([topic], new Map([[topic, toBinary(CarriedSchema, create(CarriedSchema, carried))]]));
      },
    };
  }

  test.each(['1', ''])(
    'answers a poll from its position, and the next poll waits (since "%s")',
    async (since) => {
      const box = await held();
      box.carry({ since, at: later() });
      expect((await box.answer).answer).toEqual(['carried']);
      void box.poll('2');
      await eventually(() => holds.held() === 1);
      expect(box.asked()).toBe(0);
    },
  );

  test('does not answer a poll from another position, or one that came after it expired', async () => {
    for (const carried of [
      { since: '0', at: later() },
      { since: '1', at: BigInt(systemClock.now() - 10_000) },
    ]) {
      const box = await held();
      box.carry(carried);
      await eventually(() => box.asked() > 0);
      box.carry({ since: '1', at: 0n });
      expect((await box.answer).answer).toEqual(['asked']);
    }
  });
});

describe('a cached answer', () => {
  function card(topic: string) {
    let version = 1;
    let asked = 0;
    return {
      ask: async (): Promise<Reply<number>> => {
        asked += 1;
        return {
          answer: version,
          metadata: create(ResponseMetadataSchema, { validTopics: [topic], validMs: 60_000 }),
        };
      },
      change() {
        version += 1;
        watchers.wake([topic]);
      },
      asked: () => asked,
    };
  }

  test('is used until its topic is woken', async () => {
    const robin = card('card:robin');
    const look = async () => (await holds.remember('robin', robin.ask)).answer;
    await untilKept(look, robin.asked);
    const before = robin.asked();
    for (let i = 0; i < 10; i += 1) expect(await look()).toBe(1);
    expect(robin.asked()).toBe(before);
    robin.change();
    await eventually(async () => (await look()) === 2);
  });

  test('is loaded once for concurrent readers', async () => {
    const robin = card('card:robin');
    const answers = await Promise.all(Array.from({ length: 30 }, () => holds.remember('robin', robin.ask)));
    expect(answers.map(({ answer }) => answer)).toEqual(answers.map(() => 1));
    expect(robin.asked()).toBe(1);
  });

  test('is loaded again after an outage of delivery', async () => {
    const robin = card('card:robin');
    const look = async () => (await holds.remember('robin', robin.ask)).answer;
    await untilKept(look, robin.asked);
    const before = robin.asked();
    await server.stop(0);
    await eventually(async () => {
      await look();
      return robin.asked() > before;
    });
    await startDelivery();
  });

  test('is never an error', async () => {
    const failing = holds.remember('broken', () => Promise.reject(new Error('away')));
    await expect(failing).rejects.toThrow('away');
    expect((await holds.remember('broken', card('x').ask)).answer).toBe(1);
  });
});
