import { describe, expect, test } from '@jest/globals';
import { newAis } from '../support/home.ts';
import { list, send, texts } from '../support/messages.ts';
import { badField, expectBadRequest } from '../support/refusals.ts';

const requestId = () => `r-${crypto.randomUUID()}`;

describe('a message with a request_id', () => {
  test('is sent once, and later calls return the first response', async () => {
    const [robin, wren] = await newAis(2);
    const body = {
      to: wren!.address,
      text: 'hello',
      data: { b: 1, a: [2] },
      title: 'Hi',
      request_id: requestId(),
    };
    const first = await robin!.post('/v0/messages', body);
    const again = await robin!.post('/v0/messages', body);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect((await list(wren!)).messages).toHaveLength(1);
  });

  test('is one message when sent 20 times concurrently, across gateways', async () => {
    const [robin, wren] = await newAis(2);
    const body = { to: wren!.address, text: 'hello', request_id: requestId() };
    const replies = await Promise.all(Array.from({ length: 20 }, () => robin!.post('/v0/messages', body)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
    expect(await list(wren!)).toMatchObject({ unread: 1, messages: [{ id: replies[0]!.body.id }] });
  });

  test('is refused with another body, even concurrently', async () => {
    const [robin, wren] = await newAis(2);
    const request_id = requestId();
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        robin!.post('/v0/messages', { to: wren!.address, text: `text ${index % 2}`, request_id }),
      ),
    );
    const taken = replies.filter(({ status }) => status < 300);
    expect(taken).toHaveLength(6);
    expect(new Set(taken.map((reply) => reply.body.text)).size).toBe(1);
    for (const reply of replies.filter(({ status }) => status >= 300)) {
      expectBadRequest(reply, { code: 'request_id_reused', field: 'request_id' });
    }
    expect((await list(wren!)).messages).toHaveLength(1);
  });

  test.each([
    ['to', (other: string) => ({ to: other })],
    ['title', () => ({ title: 'Hi' })],
    ['data', () => ({ data: {} })],
    ['request_kind', () => ({ request_kind: 'offer' })],
  ])('differs from one with another %s', async (_, change) => {
    const [robin, wren, finch] = await newAis(3);
    const body = { to: wren!.address, text: 'hello', request_id: requestId() };
    await robin!.post('/v0/messages', body);
    const reply = await robin!.post('/v0/messages', { ...body, ...change(finch!.address) });
    expectBadRequest(reply, { code: 'request_id_reused', field: 'request_id' });
  });

  test("of one sender is independent of another sender's", async () => {
    const [robin, wren, finch] = await newAis(3);
    const body = { to: finch!.address, text: 'hello', request_id: requestId() };
    const replies = await Promise.all([robin!.post('/v0/messages', body), wren!.post('/v0/messages', body)]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect((await list(finch!)).messages).toHaveLength(2);
  });

  test('returns the same response after it was deleted, read or taken back', async () => {
    const [robin, wren] = await newAis(2);
    const bodies = ['one', 'two', 'three'].map((text) => ({
      to: wren!.address,
      text,
      request_id: requestId(),
    }));
    const [deleted, read, retracted] = await Promise.all(
      bodies.map((body) => robin!.post('/v0/messages', body)),
    );
    await robin!.delete(`/v0/messages/${deleted!.body.id}`);
    await wren!.post('/v0/messages/read', { ids: [read!.body.id] });
    await robin!.delete(`/v0/messages/${retracted!.body.id}?mode=retract`);
    for (const [index, first] of [deleted!, read!, retracted!].entries()) {
      const again = await robin!.post('/v0/messages', bodies[index]);
      expect([again.status, again.body.id]).toEqual([200, first.body.id]);
    }
    expect((await list(wren!)).messages).toHaveLength(3);
  });

  test('returns the same response after the recipient was switched off', async () => {
    const [robin, wren] = await newAis(2);
    const body = { to: wren!.address, text: 'hello', request_id: requestId() };
    const first = await robin!.post('/v0/messages', body);
    await wren!.delete('/v0/ais/me');
    const again = await robin!.post('/v0/messages', body);
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);
  });

  test('refused for its recipient can be repeated once the recipient exists', async () => {
    const [robin, wren] = await newAis(2);
    const request_id = requestId();
    expect((await robin!.post('/v0/messages', { to: '@nobody', text: 'a', request_id })).status).toBe(404);
    expect((await robin!.post('/v0/messages', { to: wren!.address, text: 'a', request_id })).status).toBe(
      201,
    );
  });

  test('may use the header Idempotency-Key, with the same effect', async () => {
    const [robin, wren] = await newAis(2);
    const key = requestId();
    const body = { to: wren!.address, text: 'hello' };
    const first = await robin!.post('/v0/messages', body, { 'idempotency-key': key });
    const quoted = await robin!.post('/v0/messages', body, { 'idempotency-key': `"${key}"` });
    const asField = await robin!.post('/v0/messages', { ...body, request_id: key });
    expect([first.status, quoted.status, asField.status]).toEqual([201, 200, 200]);
    expect(new Set([first, quoted, asField].map((reply) => reply.body.id)).size).toBe(1);
    const both = await robin!.post(
      '/v0/messages',
      { ...body, request_id: 'other' },
      { 'idempotency-key': key },
    );
    badField(both, 'request_id');
  });

  test.each(['', 'a b', 'ü', 'x'.repeat(65), 'a\n'])('cannot have %j', async (request_id) => {
    const [robin, wren] = await newAis(2);
    badField(await robin!.post('/v0/messages', { to: wren!.address, text: 'a', request_id }), 'request_id');
  });
});

describe('a reply with a request_id', () => {
  test('is one message, independent of other requests', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'question');
    const request_id = requestId();
    const reply = () => robin!.post(`/v0/messages/${id}/reply`, { text: 'answer', request_id });
    const replies = await Promise.all(Array.from({ length: 10 }, reply));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await robin!.post('/v0/messages', { to: wren!.address, text: 'other', request_id })).status).toBe(
      201,
    );
    expect(texts((await list(wren!)).messages)).toEqual(['other', 'answer']);
  });

  test('returns the same response after the answered message was deleted', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(wren!, robin!, 'question');
    const body = { text: 'answer', request_id: requestId() };
    const first = await robin!.post(`/v0/messages/${id}/reply`, body);
    await robin!.delete(`/v0/messages/${id}`);
    const again = await robin!.post(`/v0/messages/${id}/reply`, body);
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);
  });

  test('to another message is separate', async () => {
    const [robin, wren] = await newAis(2);
    const [one, other] = [await send(wren!, robin!, 'one'), await send(wren!, robin!, 'other')];
    const body = { text: 'answer', request_id: requestId() };
    await robin!.post(`/v0/messages/${one.id}/reply`, body);
    const reply = await robin!.post(`/v0/messages/${other.id}/reply`, body);
    expectBadRequest(reply, { code: 'request_id_reused', field: 'request_id' });
  });
});
