import { setTimeout as sleep } from 'node:timers/promises';
import { apiClient, type TestAi } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { atEachGateway, newAi, newAis, urls } from '../support/home.ts';
import { countUnread, ids, list, poll, send, texts } from '../support/messages.ts';
import { firstOf, timed } from '../support/timed.ts';

/** Long enough for a request to arrive and be parked. */
const parkedMs = 250;

/** A poll whose duration is measured. */
const timedPoll = (ai: TestAi, parameters = {}) => timed(poll(ai, parameters));

/** Held from the start, alongside all other tests of this file; the last test checks it. */
let longWait: ReturnType<typeof timedPoll>;

beforeAll(() => {
  longWait = newAi().then((ai) => timedPoll(ai, { wait: 99 }));
});

describe('a held poll', () => {
  test('is answered at once when there are unread messages', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'hello');
    await list(robin!);
    const idle = timedPoll((await newAis(1))[0]!, { wait: 1 });
    const answered = timedPoll(robin!);
    expect(await firstOf([answered, idle])).toBe(0);
    const { result } = await answered;
    expect(result.body).toMatchObject({ messages: [{ id, read_at: null }], unread: 1, next_cursor: null });
  });

  test('is answered the moment a message arrives, at every gateway', async () => {
    const [robin, wren] = await newAis(2);
    const held = atEachGateway(robin!.key).map((client) => timed(poll(client)));
    await sleep(parkedMs);
    const sentAt = performance.now();
    const { id } = await send(wren!, robin!, 'hello');
    const sentMs = performance.now() - sentAt;
    for (const { result } of await Promise.all(held)) expect(ids(result.body.messages)).toEqual([id]);
    // More than the second after which a poll without a wake would notice, only if sending itself was slow.
    expect(performance.now() - sentAt - sentMs).toBeLessThan(900 + 10 * sentMs);
  });

  test('contains the whole message, as later reads do', async () => {
    const [robin, wren] = await newAis(2);
    const held = poll(robin!);
    await sleep(parkedMs);
    const { id } = await send(wren!, robin!, 'hello', { title: 'Hi', data: { a: [1] } });
    const [message] = (await held).body.messages;
    expect(message).toEqual((await robin!.get(`/v0/messages/${id}`)).body);
  });

  test('ends with an empty list at its timeout', async () => {
    const ai = await newAi();
    const { result, ms } = await timedPoll(ai, { wait: 1 });
    expect(result.status).toBe(200);
    expect(result.body).toEqual({ messages: [], unread: 0, next_cursor: null });
    expect(ms).toBeGreaterThanOrEqual(990);
    expect(ms).toBeLessThan(3_000);
  });

  test('returns at once with a wait of 0', async () => {
    const [robin, wren] = await newAis(2);
    const [held, answered] = [timedPoll(robin!, { wait: 2 }), timedPoll(wren!, { wait: 0 })];
    expect(await firstOf([held, answered])).toBe(1);
    expect((await answered).result.body.messages).toEqual([]);
  });

  test('keeps waiting through unrelated events', async () => {
    const [robin, wren, finch] = await newAis(3);
    const first = await send(wren!, robin!, 'first');
    const held = timedPoll(robin!, { since: first.id, wait: 2 });
    await sleep(parkedMs);
    await send(robin!, wren!, 'sent by the one who waits');
    await send(wren!, finch!, 'for somebody else');
    await robin!.post('/v0/messages/read', { ids: [first.id] });
    const { result, ms } = await held;
    expect(result.body.messages).toEqual([]);
    expect(ms).toBeGreaterThanOrEqual(1_990);
  });

  test('with a filter waits for matching messages', async () => {
    const [robin, wren, finch] = await newAis(3);
    const { thread } = await send(wren!, robin!, 'old');
    await robin!.post('/v0/messages/read', { ids: ids((await list(robin!)).messages) });
    const byThread = poll(robin!, { thread });
    const bySender = poll(robin!, { from: finch!.address });
    await sleep(parkedMs);
    await send(wren!, robin!, 'elsewhere');
    await send(wren!, robin!, 'in the thread', { thread });
    await send(finch!, robin!, 'from finch');
    expect(texts((await byThread).body.messages)).toEqual(['in the thread']);
    expect(texts((await bySender).body.messages)).toEqual(['from finch']);
  });

  test('omits messages taken back or deleted meanwhile', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'hello');
    await wren!.delete(`/v0/messages/${id}?mode=retract`);
    expect((await poll(robin!, { wait: 1 })).body.messages).toEqual([]);
  });

  test('wakes alone among 50 others', async () => {
    const ais = await newAis(51);
    const sender = ais.pop()!;
    const answered: number[] = [];
    const held = ais.map(async (ai, index) => {
      const reply = await poll(ai, { wait: 3 });
      answered.push(index);
      return reply;
    });
    await sleep(600);
    const { ms } = await timed(
      (async () => {
        await send(sender, ais[17]!, 'for one');
        await held[17];
      })(),
    );
    expect(ms).toBeLessThan(1_000);
    await sleep(300);
    expect(answered).toEqual([17]);
    const replies = await Promise.all(held);
    expect(replies.map((reply) => reply.body.messages.length)).toEqual(
      ais.map((_, index) => (index === 17 ? 1 : 0)),
    );
  });

  test('all wake when each receives a message', async () => {
    const ais = await newAis(31);
    const sender = ais.pop()!;
    const held = ais.map((ai) => poll(ai));
    await sleep(500);
    const { result, ms } = await timed(
      (async () => {
        await Promise.all(ais.map((ai, index) => send(sender, ai, `for ${index}`)));
        return await Promise.all(held);
      })(),
    );
    expect(ms).toBeLessThan(3_000);
    expect(result.map((reply) => texts(reply.body.messages))).toEqual(
      ais.map((_, index) => [`for ${index}`]),
    );
  });

  test('of a client that disconnected is dropped, and the next one works', async () => {
    const [robin, wren] = await newAis(2);
    for (let round = 0; round < 5; round += 1) {
      const abort = new AbortController();
      const gone = fetch(`${urls()[0]}/v0/messages?unread=true&wait=20`, {
        headers: { authorization: `Bearer ${robin!.key}` },
        signal: abort.signal,
      }).catch(() => 'gone');
      await sleep(60);
      abort.abort();
      expect(await gone).toBe('gone');
    }
    const held = poll(robin!);
    await sleep(parkedMs);
    await send(wren!, robin!, 'hello');
    expect(texts((await held).body.messages)).toEqual(['hello']);
    expect(await countUnread(robin!)).toBe(1);
  });

  test('without a key is refused at once', async () => {
    const refused = apiClient(urls()).get('/v0/messages?unread=true&wait=20');
    expect(await firstOf([timedPoll(await newAi(), { wait: 2 }), refused])).toBe(1);
    expect((await refused).status).toBe(401);
  });
});

describe('a client that polls in a loop', () => {
  const count = 300;

  test(`sees each of ${count} messages once with since, while they are sent`, async () => {
    const [robin, wren, finch] = await newAis(3);
    const seen: string[] = [];
    let since: string | undefined;
    const reading = (async () => {
      while (seen.length < count) {
        const { messages } = (await poll(robin!, { since, limit: 10 })).body;
        seen.push(...texts(messages));
        since = ids(messages).at(-1) ?? since;
      }
    })();
    const sending = [wren!, finch!].map(async (from, side) => {
      for (let index = side; index < count; index += 2) {
        await send(from, robin!, `${index}`);
        // Bursts and pauses: polls are sometimes parked, sometimes in transit.
        if (index % 20 < 2) await sleep(15);
      }
    });
    await Promise.all([...sending, reading]);
    expect(seen).toHaveLength(count);
    expect(new Set(seen)).toEqual(new Set(Array.from({ length: count }, (_, index) => `${index}`)));
    const odd = seen.filter((text) => Number(text) % 2 === 1).map(Number);
    expect(odd).toEqual([...odd].sort((one, other) => one - other));
  });

  test('sees each once by marking them read', async () => {
    const [robin, wren] = await newAis(2);
    const seen: string[] = [];
    const reading = (async () => {
      while (seen.length < 100) {
        const { messages } = (await poll(robin!, { limit: 7 })).body;
        seen.push(...texts(messages));
        await robin!.post('/v0/messages/read', { ids: ids(messages) });
      }
    })();
    for (let index = 0; index < 100; index += 1) await send(wren!, robin!, `${index}`);
    await reading;
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => `${index}`));
    expect(await countUnread(robin!)).toBe(0);
  });
});

test('a wait of more than 30 seconds is shortened to 30', async () => {
  const { result, ms } = await longWait;
  expect(result.body).toEqual({ messages: [], unread: 0, next_cursor: null });
  expect(ms).toBeGreaterThanOrEqual(29_990);
  expect(ms).toBeLessThan(34_000);
});
