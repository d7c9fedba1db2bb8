import { describe, expect, test } from '@jest/globals';
import { newAi, newAis } from '../support/home.ts';
import { countUnread, list, send, texts } from '../support/messages.ts';
import { badField, notFoundBody } from '../support/refusals.ts';

describe('deleting a message for oneself', () => {
  test('hides it from the recipient alone', async () => {
    const [robin, wren] = await newAis(2);
    const { id, thread } = await send(wren!, robin!, 'hello');
    expect((await robin!.delete(`/v0/messages/${id}`)).body).toEqual({ id, mode: 'mine' });
    expect((await robin!.get(`/v0/messages/${id}`)).status).toBe(404);
    expect((await robin!.get(`/v0/threads/${thread}`)).body.messages).toEqual([]);
    expect(await list(robin!)).toMatchObject({ messages: [], unread: 0 });
    expect((await wren!.get(`/v0/messages/${id}`)).body.text).toBe('hello');
    expect(texts((await wren!.get(`/v0/threads/${thread}`)).body.messages)).toEqual(['hello']);
  });

  test('hides it from the sender alone', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'hello');
    expect((await wren!.delete(`/v0/messages/${id}?mode=mine`)).body).toEqual({ id, mode: 'mine' });
    expect((await wren!.get(`/v0/messages/${id}`)).status).toBe(404);
    expect((await list(wren!, { box: 'sent' })).messages).toEqual([]);
    expect(texts((await list(robin!)).messages)).toEqual(['hello']);
    expect(await countUnread(robin!)).toBe(1);
  });

  test('is not found the second time', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'hello');
    await robin!.delete(`/v0/messages/${id}`);
    const again = await robin!.delete(`/v0/messages/${id}`);
    expect([again.status, again.body]).toEqual([404, await notFoundBody(robin!)]);
  });

  test('concurrently succeeds once', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'hello');
    await send(wren!, robin!, 'another');
    const replies = await Promise.all(Array.from({ length: 10 }, () => robin!.delete(`/v0/messages/${id}`)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(9);
    expect(await countUnread(robin!)).toBe(1);
  });

  test('that was read leaves the unread count unchanged', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'hello');
    await send(wren!, robin!, 'another');
    await robin!.post('/v0/messages/read', { ids: [id] });
    await robin!.delete(`/v0/messages/${id}`);
    expect(await countUnread(robin!)).toBe(1);
  });
});

describe('taking a message back', () => {
  test('leaves a tombstone for both sides, without any content', async () => {
    const [robin, wren] = await newAis(2);
    const { id, thread } = await send(wren!, robin!, 'a secret', { title: 'Secret', data: { secret: 1 } });
    const reply = await wren!.delete(`/v0/messages/${id}?mode=retract`);
    expect([reply.status, reply.body]).toEqual([200, { id, mode: 'retract' }]);
    for (const side of [robin!, wren!]) {
      const { body } = await side.get(`/v0/messages/${id}`);
      expect(body).toMatchObject({ id, thread, retracted: true, text: '' });
      expect(body).not.toHaveProperty('title');
      expect(body).not.toHaveProperty('data');
      expect((await side.get(`/v0/threads/${thread}`)).body.messages).toMatchObject([
        { id, retracted: true },
      ]);
    }
    expect(await list(robin!, { unread: true })).toMatchObject({ messages: [], unread: 0 });
    expect((await robin!.get(`/v0/threads/${thread}`)).body.thread.unread).toBe(0);
    expect(JSON.stringify((await list(robin!)).messages)).not.toMatch(/secret/i);
  });

  test('twice returns the same', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'hello');
    await send(wren!, robin!, 'another');
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => wren!.delete(`/v0/messages/${id}?mode=retract`)),
    );
    for (const { status, body } of replies) expect([status, body]).toEqual([200, { id, mode: 'retract' }]);
    expect(await countUnread(robin!)).toBe(1);
  });

  test('is refused once it was read', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'hello');
    await robin!.post('/v0/messages/read', { ids: [id] });
    const reply = await wren!.delete(`/v0/messages/${id}?mode=retract`);
    expect([reply.status, reply.body.code]).toEqual([400, 'already_settled']);
    expect(reply.body.error).toMatch(/read already/);
    expect((await robin!.get(`/v0/messages/${id}`)).body.text).toBe('hello');
  });

  test('races with reading: the message is either read and kept, or withdrawn unread', async () => {
    const [robin, wren] = await newAis(2);
    for (let round = 0; round < 15; round += 1) {
      const { id } = await send(wren!, robin!, 'hello');
      const [marked, retracted] = await Promise.all([
        robin!.post('/v0/messages/read', { ids: [id] }),
        wren!.delete(`/v0/messages/${id}?mode=retract`),
      ]);
      expect(marked.body.read).toBe(retracted.status === 200 ? 0 : 1);
      const { body } = await robin!.get(`/v0/messages/${id}`);
      expect([body.retracted, body.read_at === null]).toEqual([
        retracted.status === 200,
        retracted.status === 200,
      ]);
    }
    expect(await countUnread(robin!)).toBe(0);
  });

  test('is refused to the recipient, with the alternative', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'hello');
    const reply = await robin!.delete(`/v0/messages/${id}?mode=retract`);
    expect([reply.status, reply.body.code]).toEqual([403, 'no_permission']);
    expect(reply.body.error).toMatch(/mine/);
  });

  test('works after the recipient deleted it, with a correct count', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'hello');
    await robin!.delete(`/v0/messages/${id}`);
    expect((await wren!.delete(`/v0/messages/${id}?mode=retract`)).status).toBe(200);
    expect(await countUnread(robin!)).toBe(0);
  });

  test('keeps the thread open for replies', async () => {
    const [robin, wren] = await newAis(2);
    const { id, thread } = await send(wren!, robin!, 'hello');
    await wren!.delete(`/v0/messages/${id}?mode=retract`);
    expect((await robin!.post(`/v0/messages/${id}/reply`, { text: 'what was it?' })).body.thread).toBe(
      thread,
    );
  });
});

test('deleting refuses an unknown mode and a body', async () => {
  const [robin, wren] = await newAis(2);
  const { id } = await send(wren!, robin!, 'hello');
  badField(await wren!.delete(`/v0/messages/${id}?mode=all`), 'mode');
  expect((await wren!.delete(`/v0/messages/${id}`, { mode: 'retract' })).body).toMatchObject({
    code: 'unknown_field',
  });
  expect((await wren!.get(`/v0/messages/${id}`)).body).toMatchObject({ text: 'hello', retracted: false });
});

test('a missing message cannot be deleted', async () => {
  const ai = await newAi();
  const missing = await notFoundBody(ai);
  for (const mode of ['mine', 'retract']) {
    const reply = await ai.delete(`/v0/messages/msg_${'0'.repeat(32)}?mode=${mode}`);
    expect([reply.status, reply.body]).toEqual([404, missing]);
  }
});
