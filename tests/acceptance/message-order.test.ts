import { describe, expect, test } from '@jest/globals';
import { newAis } from '../support/home.ts';
import { allPages, ids, list, type SeenMessage, send, texts } from '../support/messages.ts';

describe('the order of messages', () => {
  test('of a thread is the same for both sides when 200 are sent concurrently from both', async () => {
    const [robin, wren] = await newAis(2);
    const { thread } = await send(robin!, wren!, 'first');
    const sent = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0
          ? send(robin!, wren!, `robin ${index}`, { thread })
          : send(wren!, robin!, `wren ${index}`, { thread }),
      ),
    );
    const views = await Promise.all(
      [robin!, wren!].map((side) =>
        allPages<SeenMessage>(side, `/v0/threads/${thread}`, 'messages', { limit: 37 }),
      ),
    );
    const [one, other] = views.map(ids) as [string[], string[]];
    expect(one).toHaveLength(201);
    expect(one).toEqual(other);
    expect(new Set(one)).toEqual(new Set([...ids(sent), one.at(-1)]));
    expect(views[0]!.at(-1)!.text).toBe('first');

    // A mailbox shows its messages in the order of receipt.
    for (const [side, view] of [
      [robin!, views[0]!],
      [wren!, views[1]!],
    ] as const) {
      const received = await allPages<SeenMessage>(side, '/v0/messages', 'messages', { limit: 100 });
      const inThread = view.filter(({ box }) => box === 'inbox');
      expect(ids(received)).toEqual(ids(inThread));
    }
  });

  test('of one sender who awaits each response is the order of sending', async () => {
    const [robin, wren] = await newAis(2);
    const { thread } = await send(robin!, wren!, '0');
    const expected = ['0'];
    for (let index = 1; index <= 30; index += 1) {
      const from = index % 3 === 0 ? wren! : robin!;
      await send(from, from === wren ? robin! : wren!, `${index}`, { thread });
      expected.unshift(`${index}`);
    }
    for (const side of [robin!, wren!]) {
      expect(texts((await side.get(`/v0/threads/${thread}?limit=100`)).body.messages)).toEqual(expected);
    }
  });

  test('holds in a poll: oldest first, also from many concurrent senders', async () => {
    const [robin, ...others] = await newAis(9);
    await Promise.all(
      others.flatMap((other) => Array.from({ length: 5 }, () => send(other, robin!, 'hello'))),
    );
    const newestFirst = await list(robin!, { limit: 100 });
    const oldestFirst = await list(robin!, { unread: true, wait: 1, limit: 100 });
    expect(newestFirst.messages).toHaveLength(40);
    expect(ids(oldestFirst.messages)).toEqual(ids(newestFirst.messages).reverse());
  });
});
