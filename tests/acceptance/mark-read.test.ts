import { eventually } from '@hearth/testkit/eventually';
import type { ApiClient } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { newAis } from '../support/home.ts';
import { countUnread, ids, list, poll, send, texts } from '../support/messages.ts';
import { badField, expectBadRequest } from '../support/refusals.ts';

const markRead = (ai: Pick<ApiClient, 'post'>, body: unknown) => ai.post('/v0/messages/read', body);

describe('reading', () => {
  test('changes no read state, by any call', async () => {
    const [robin, wren] = await newAis(2);
    const { id, thread } = await send(wren!, robin!, 'hello');
    await list(robin!);
    await list(robin!, { unread: true });
    await poll(robin!);
    await robin!.get(`/v0/messages/${id}`);
    await robin!.get(`/v0/threads/${thread}`);
    await robin!.get('/v0/threads');
    await send(robin!, wren!, 'an answer', { thread });
    const { messages, unread } = await list(robin!, { unread: true });
    expect(unread).toBe(1);
    expect(messages).toMatchObject([{ id, read_at: null }]);
  });
});

describe('marking read', () => {
  test('by ids counts newly marked messages', async () => {
    const [robin, wren] = await newAis(2);
    const sent = [
      await send(wren!, robin!, 'one'),
      await send(wren!, robin!, 'two'),
      await send(wren!, robin!, 'three'),
    ];
    const two = ids(sent).slice(0, 2);
    expect((await markRead(robin!, { ids: two })).body).toEqual({ read: 2 });
    expect((await markRead(robin!, { ids: [...two, two[0]] })).body).toEqual({ read: 0 });
    expect(await countUnread(robin!)).toBe(1);
    expect(texts((await list(robin!, { unread: true })).messages)).toEqual(['three']);
    const { read_at } = (await robin!.get(`/v0/messages/${two[0]}`)).body;
    expect(Math.abs(Date.parse(read_at) - Date.now())).toBeLessThan(60_000);
  });

  test('by thread stops at the given message', async () => {
    const [robin, wren] = await newAis(2);
    const elsewhere = await send(wren!, robin!, 'elsewhere');
    const message = await send(wren!, robin!, 'one');
    const { thread } = message;
    const two = await send(wren!, robin!, 'two', { thread });
    await send(wren!, robin!, 'three', { thread });
    expect((await markRead(robin!, { thread, up_to: two.id })).body).toEqual({ read: 2 });
    expect(texts((await list(robin!, { unread: true })).messages)).toEqual(['three', 'elsewhere']);
    const mine = await send(robin!, wren!, 'an answer', { thread });
    expect((await markRead(robin!, { thread, up_to: mine.id })).body).toEqual({ read: 1 });
    expect((await markRead(robin!, { thread, up_to: elsewhere.id })).body).toEqual({ read: 0 });
    expect(await countUnread(robin!)).toBe(1);
  });

  test('is invisible to the sender', async () => {
    const [robin, wren] = await newAis(2);
    const { id, thread } = await send(wren!, robin!, 'hello');
    const before = [
      (await wren!.get(`/v0/messages/${id}`)).body,
      (await wren!.get(`/v0/threads/${thread}`)).body,
    ];
    await markRead(robin!, { ids: [id] });
    const after = [
      (await wren!.get(`/v0/messages/${id}`)).body,
      (await wren!.get(`/v0/threads/${thread}`)).body,
    ];
    expect(after).toEqual(before);
    expect(after[0].read_at).toBeNull();
  });

  test("ignores the caller's own messages", async () => {
    const [robin, wren] = await newAis(2);
    const { id, thread } = await send(wren!, robin!, 'hello');
    expect((await markRead(wren!, { ids: [id] })).body).toEqual({ read: 0 });
    expect((await markRead(wren!, { thread, up_to: id })).body).toEqual({ read: 0 });
    expect(await countUnread(robin!)).toBe(1);
  });

  test('counts correctly under concurrent calls and new messages', async () => {
    const [robin, wren] = await newAis(2);
    const sent = await Promise.all(Array.from({ length: 60 }, () => send(wren!, robin!, 'hello')));
    const [marks] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => markRead(robin!, { ids: ids(sent) }))),
      Promise.all(Array.from({ length: 20 }, () => send(wren!, robin!, 'later'))),
    ]);
    expect(marks.reduce((sum, { body }) => sum + body.read, 0)).toBe(60);
    expect(await countUnread(robin!)).toBe(20);
    expect((await list(robin!, { unread: true, limit: 100 })).messages).toHaveLength(20);
  });

  test('accepts up to 100 ids', async () => {
    const [robin, wren] = await newAis(2);
    const sent = await Promise.all(Array.from({ length: 101 }, () => send(wren!, robin!, 'hello')));
    badField(await markRead(robin!, { ids: ids(sent) }), 'ids', /100/);
    expect((await markRead(robin!, { ids: ids(sent).slice(1) })).body).toEqual({ read: 100 });
  });
});

test('unread messages are counted up to 1,000', async () => {
  const [robin, wren] = await newAis(2);
  const { thread } = await send(wren!, robin!, 'hello');
  for (let hundreds = 0; hundreds < 11; hundreds += 1) {
    await Promise.all(Array.from({ length: 100 }, () => send(wren!, robin!, 'hello', { thread })));
  }
  expect(await countUnread(robin!)).toBe(1_000);
  expect((await poll(robin!, { limit: 1 })).body.unread).toBe(1_000);
  expect((await robin!.get('/v0/me')).body.waiting.messages.count).toBe(1_000);
  expect((await robin!.get(`/v0/threads/${thread}`)).body.thread.unread).toBe(1_000);
  const [newest] = (await list(robin!, { limit: 1 })).messages;
  // The rest is marked in steps of bounded cost.
  expect((await markRead(robin!, { thread, up_to: newest!.id })).body).toEqual({
    read: 1_000,
    pending: true,
  });
  await eventually(
    () => countUnread(robin!),
    (unread) => unread === 0,
  );
});

describe('refused requests', () => {
  test.each([
    ['nothing', {}, 'ids'],
    ['no ids', { ids: [] }, 'ids'],
    ['one id that is no list', { ids: `msg_${'0'.repeat(32)}` }, 'ids'],
    ['ids of another kind', { ids: [`thr_${'0'.repeat(32)}`] }, 'ids[0]'],
    ['null among the ids', { ids: [null] }, 'ids[0]'],
    ['a thread without up_to', { thread: `thr_${'0'.repeat(32)}` }, 'up_to'],
    ['up_to without a thread', { up_to: `msg_${'0'.repeat(32)}` }, 'ids'],
  ])('%s', async (_, body, field) => {
    const [robin] = await newAis(1);
    badField(await markRead(robin!, body), field);
  });

  test('both ids and a thread', async () => {
    const [robin] = await newAis(1);
    const up_to = `msg_${'0'.repeat(32)}`;
    const reply = await markRead(robin!, { ids: [up_to], thread: `thr_${'0'.repeat(32)}`, up_to });
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatch(/not both/);
  });

  test('upTo in camelCase', async () => {
    const [robin] = await newAis(1);
    expectBadRequest(await markRead(robin!, { upTo: 'a' }), {
      code: 'unknown_field',
      field: 'upTo',
      words: /"up_to"/,
    });
  });
});
