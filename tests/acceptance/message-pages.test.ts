import type { TestAi } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { newAis } from '../support/home.ts';
import { allPages, ids, list, numbered, type SeenMessage, send, texts } from '../support/messages.ts';
import { badField, expectBadRequest } from '../support/refusals.ts';

describe('250 messages', () => {
  let robin: TestAi;
  let wren: TestAi;
  let thread: string;
  /** In sending order. */
  const sent = numbered(250);

  beforeAll(async () => {
    [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    thread = (await send(wren, robin, sent[0]!)).thread;
    // Sequential within each fifty, which is enough to know their order.
    for (const text of sent.slice(1)) await send(wren, robin, text, { thread });
  });

  test.each([1, 7, 20, 100])('are read in pages of %d, none twice and none skipped', async (limit) => {
    const wanted = limit === 1 ? 30 : 250;
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(robin, { limit, cursor });
      expect(page.messages.length).toBeLessThanOrEqual(limit);
      seen.push(...texts(page.messages));
      cursor = page.next_cursor;
    } while (cursor !== null && seen.length < wanted);
    expect(seen).toEqual([...sent].reverse().slice(0, wanted));
  });

  test('come in pages of twenty by default', async () => {
    const page = await list(robin);
    expect(texts(page.messages)).toEqual([...sent].reverse().slice(0, 20));
    expect(page.unread).toBe(250);
    expect(page.next_cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  test('are all in their thread, in pages', async () => {
    const path = `/v0/threads/${thread}`;
    expect(texts(await allPages<SeenMessage>(wren, path, 'messages', { limit: 60 }))).toEqual(
      [...sent].reverse(),
    );
  });

  test('are all in the sent box', async () => {
    const box = await allPages<SeenMessage>(wren, '/v0/messages', 'messages', { box: 'sent', limit: 99 });
    expect(texts(box)).toEqual([...sent].reverse());
    expect(new Set(box.map((message) => message.box))).toEqual(new Set(['sent']));
  });

  test('can be read oldest first with poll cursors', async () => {
    const seen = await allPages<SeenMessage>(robin, '/v0/messages', 'messages', {
      unread: true,
      wait: 1,
      limit: 80,
    });
    expect(texts(seen)).toEqual(sent);
  });
});

test('a list stays whole while new messages arrive', async () => {
  const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
  const before = await Promise.all(numbered(250).map((text) => send(wren, robin, text)));
  const seen = await allPages<SeenMessage>(robin, '/v0/messages', 'messages', { limit: 30 }, async () => {
    await Promise.all(Array.from({ length: 7 }, () => send(wren, robin, 'later')));
  });
  expect(new Set(ids(seen)).size).toBe(seen.length);
  expect(new Set(ids(seen).slice(-250))).toEqual(new Set(ids(before)));
  expect(seen).toHaveLength(250);
});

test('threads are listed in pages while others become the newest', async () => {
  const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
  const threads = await Promise.all(numbered(45).map(async (text) => (await send(wren, robin, text)).thread));
  const seen = await allPages<{ id: string }>(robin, '/v0/threads', 'threads', { limit: 10 }, () =>
    send(wren, robin, 'a new thread'),
  );
  const listed = seen.map(({ id }) => id);
  expect(new Set(listed)).toEqual(new Set(threads));
  expect(listed).toHaveLength(45);
});

describe('since', () => {
  test('an id returns later messages, newest first', async () => {
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    const sent: SeenMessage[] = [];
    for (const text of numbered(5)) sent.push(await send(wren, robin, text));
    expect(texts((await list(robin, { since: sent[2]!.id })).messages)).toEqual(['message 5', 'message 4']);
    expect(texts((await list(robin, { since: sent[4]!.id })).messages)).toEqual([]);
    expect(texts((await list(robin, { since: sent[2]!.id, unread: true, wait: 1 })).messages)).toEqual([
      'message 4',
      'message 5',
    ]);
  });

  test("may be the caller's own message", async () => {
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    await send(wren, robin, 'before');
    const mine = await send(robin, wren, 'mine');
    await send(wren, robin, 'after');
    expect(texts((await list(robin, { since: mine.id })).messages)).toEqual(['after']);
    expect(texts((await list(robin, { since: mine.id, unread: true, wait: 1 })).messages)).toEqual(['after']);
  });

  test('continues from a message that was read, deleted or taken back', async () => {
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    const [read, deleted, retracted] = [
      await send(wren, robin, 'read'),
      await send(wren, robin, 'deleted'),
      await send(wren, robin, 'retracted'),
    ];
    await robin.post('/v0/messages/read', { ids: [read.id] });
    await robin.delete(`/v0/messages/${deleted.id}`);
    await wren.delete(`/v0/messages/${retracted.id}?mode=retract`);
    await send(wren, robin, 'last');
    for (const { id } of [read, deleted, retracted]) {
      expect(texts((await list(robin, { since: id, unread: true, wait: 1 })).messages)).toEqual(['last']);
      expect(texts((await list(robin, { since: id, unread: true })).messages)).toEqual(['last']);
    }
  });

  test('a time returns later messages', async () => {
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    const first = await send(wren, robin, 'first');
    await send(wren, robin, 'second');
    expect(texts((await list(robin, { since: '2020-01-01T00:00:00Z' })).messages)).toEqual([
      'second',
      'first',
    ]);
    expect(texts((await list(robin, { since: '2099-01-01T00:00:00Z' })).messages)).toEqual([]);
    const before = new Date(Date.parse(first.at) - 1).toISOString();
    expect(texts((await list(robin, { since: before })).messages)).toEqual(['second', 'first']);
  });

  test.each([
    'yesterday',
    '5',
    '2020-13-45',
    '2020',
    '1',
    'msg_1',
    `msg_${'0'.repeat(32)}`,
    'Sat Jul 04 2026',
    '',
    '-271821-04-20T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
  ])('is refused as %j', async (since) => {
    const [robin] = (await newAis(1)) as [TestAi];
    badField(await robin.get(`/v0/messages?since=${encodeURIComponent(since)}`), 'since');
  });
});

describe('filters', () => {
  test('combine by thread, sender and unread', async () => {
    const [robin, wren, finch] = (await newAis(3)) as [TestAi, TestAi, TestAi];
    const message = await send(wren, robin, 'one');
    await send(wren, robin, 'two', { thread: message.thread });
    await send(wren, robin, 'three');
    await send(finch, robin, 'four');
    await robin.post('/v0/messages/read', { ids: [message.id] });
    const shown = async (parameters: object) => texts((await list(robin, { ...parameters })).messages);
    expect(await shown({ thread: message.thread })).toEqual(['two', 'one']);
    expect(await shown({ from: finch.address })).toEqual(['four']);
    expect(await shown({ from: wren.address, unread: true })).toEqual(['three', 'two']);
    expect(await shown({ thread: message.thread, unread: true, from: wren.address })).toEqual(['two']);
    expect(await shown({ thread: message.thread, from: finch.address })).toEqual([]);
    expect(await shown({ unread: false })).toEqual(['four', 'three', 'two', 'one']);
  });

  test('by box return the messages of that box', async () => {
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    await send(robin, wren, 'sent');
    await send(wren, robin, 'received');
    expect(texts((await list(robin)).messages)).toEqual(['received']);
    expect(texts((await list(robin, { box: 'inbox' })).messages)).toEqual(['received']);
    expect(texts((await list(robin, { box: 'sent' })).messages)).toEqual(['sent']);
    for (const box of ['requests', 'front_door']) expect((await list(robin, { box })).messages).toEqual([]);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['unread=yes', 'unread'],
    ['unread=1', 'unread'],
    ['wait=-1', 'wait'],
    ['wait=soon', 'wait'],
    ['box=spam', 'box'],
    ['thread=5', 'thread'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=', 'cursor'],
    ['from=%00', 'from'],
    [`cursor=${'a'.repeat(201)}`, 'cursor'],
  ])('are refused as %s', async (parameters, field) => {
    const [robin] = (await newAis(1)) as [TestAi];
    badField(await robin.get(`/v0/messages?${parameters}`), field);
  });

  test('with unknown names are refused with the nearest known one', async () => {
    const [robin] = (await newAis(1)) as [TestAi];
    expectBadRequest(await robin.get('/v0/messages?unraed=true'), {
      code: 'unknown_field',
      field: 'unraed',
      words: /did you mean "unread"/,
    });
  });
});
