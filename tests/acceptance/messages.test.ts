import type { TestAi } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { anonymous, newAi, newAis } from '../support/home.ts';
import { ids, list, send, texts } from '../support/messages.ts';
import { badField, expectBadRequest, notFoundBody } from '../support/refusals.ts';

/** Alternative spellings of an address of this home. */
const spellings = {
  'in capitals': async ({ address }: TestAi) => address.toUpperCase(),
  'with the name of the home': async ({ address }: TestAi) => `${address}@${await homeName()}`,
  'as other homes write it': async ({ address }: TestAi) => `${address.slice(1)}@${await homeName()}`,
};

async function homeName(): Promise<string> {
  return (await anonymous().get('/.well-known/service.json')).body.home;
}

describe('a message', () => {
  test('is returned to its sender with its handling', async () => {
    const [robin, wren] = await newAis(2);
    const { status, body } = await robin!.post('/v0/messages', {
      to: wren!.address,
      title: 'Saturday',
      text: 'Are you free?',
      data: { seats: 2, who: ['ann', null], at: { hour: 9.5 } },
      request_kind: 'personal',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      thread: expect.stringMatching(/^thr_[0-9a-f]{32}$/),
      from: robin!.address,
      from_name: 'Robin 1',
      from_status: 'unclaimed',
      name_verified: false,
      to: wren!.address,
      title: 'Saturday',
      text: 'Are you free?',
      data: { seats: 2, who: ['ann', null], at: { hour: 9.5 } },
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      read_at: null,
      box: 'sent',
      request_kind: 'personal',
      via: 'api',
      retracted: false,
      delivery: 'delivered',
    });
    expect(Math.abs(Date.parse(body.at) - Date.now())).toBeLessThan(60_000);
  });

  test('is the same for the recipient, in the inbox', async () => {
    const [robin, wren] = await newAis(2);
    const sent = await send(robin!, wren!, 'hello', { title: 'Hi' });
    const { delivery: _, ...same } = { ...sent, box: 'inbox' };
    expect((await list(wren!)).messages).toEqual([same]);
    expect((await wren!.get(`/v0/messages/${sent.id}`)).body).toEqual(same);
    expect((await robin!.get(`/v0/messages/${sent.id}`)).body).toEqual({ ...same, box: 'sent' });
  });

  test('has the kind other by default', async () => {
    const [robin, wren] = await newAis(2);
    expect(await send(robin!, wren!, 'hello')).toMatchObject({ request_kind: 'other' });
  });

  test.each(Object.entries(spellings))('may be addressed %s', async (_, spell) => {
    const [robin, wren] = await newAis(2);
    const address = await spell(wren!);
    const sent = await send(robin!, { address }, 'hello');
    expect(sent.to).toBe(wren!.address);
    const again = await send(robin!, { address }, 'and', { thread: sent.thread, reply_to: sent.id });
    expect(again).toMatchObject({ to: wren!.address, thread: sent.thread });
    const back = await send(wren!, robin!, 'hello you');
    const { messages } = await list(robin!, { from: address });
    expect(messages.map(({ id }) => id)).toEqual([back.id]);
  });

  test('sent again with another spelling of the address is the same request', async () => {
    const [robin, wren] = await newAis(2);
    const once = { request_id: 'once' };
    const { id } = await send(robin!, wren!, 'hello', once);
    const address = await spellings['with the name of the home'](wren!);
    expect(await send(robin!, { address }, 'hello', once)).toMatchObject({ id });
    expect((await list(wren!)).messages).toHaveLength(1);
  });

  test('starts a new thread when only an address is given', async () => {
    const [robin, wren] = await newAis(2);
    const [one, other] = [await send(robin!, wren!, 'one'), await send(robin!, wren!, 'other')];
    expect(one.thread).not.toBe(other.thread);
  });
});

describe('a reply', () => {
  test('goes to the other party, in the thread', async () => {
    const [robin, wren] = await newAis(2);
    const first = await send(robin!, wren!, 'Are you free?');
    const { status, body } = await wren!.post(`/v0/messages/${first.id}/reply`, { text: 'Yes', title: 'Re' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      thread: first.thread,
      reply_to: first.id,
      from: wren!.address,
      to: robin!.address,
      delivery: 'delivered',
    });
    expect((await list(robin!)).messages).toMatchObject([{ id: body.id, reply_to: first.id, text: 'Yes' }]);
  });

  test("to one's own message goes to the other party again", async () => {
    const [robin, wren] = await newAis(2);
    const first = await send(robin!, wren!, 'Are you free?');
    const { body } = await robin!.post(`/v0/messages/${first.id}/reply`, { text: 'Are you?' });
    expect(body).toMatchObject({ to: wren!.address, thread: first.thread, reply_to: first.id });
  });

  test.each(['reply_to', 'thread'] as const)('may be sent with %s instead', async (field) => {
    const [robin, wren] = await newAis(2);
    const first = await send(robin!, wren!, 'Are you free?');
    const place = { reply_to: first.id, thread: first.thread }[field];
    const { body } = await wren!.post('/v0/messages', { [field]: place, text: 'Yes' });
    expect(body).toMatchObject({ to: robin!.address, thread: first.thread });
    expect(body.reply_to).toBe(field === 'reply_to' ? first.id : undefined);
  });
});

describe('a message thread', () => {
  test('is listed for both parties, with the other party and the unread count', async () => {
    const [robin, wren] = await newAis(2);
    const first = await send(robin!, wren!, 'one');
    await send(robin!, wren!, 'two', { thread: first.thread });
    const last = (await wren!.post(`/v0/messages/${first.id}/reply`, { text: 'three' })).body;
    const named = { with_name: expect.stringMatching(/^Robin \d+$/), name_verified: false };
    const thread = { id: first.thread, last_at: last.at, box: 'inbox', ...named };
    expect((await robin!.get('/v0/threads')).body).toEqual({
      threads: [{ ...thread, with: wren!.address, unread: 1, box: expect.any(String) }],
      next_cursor: null,
    });
    expect((await wren!.get('/v0/threads')).body).toEqual({
      threads: [{ ...thread, with: robin!.address, unread: 2 }],
      next_cursor: null,
    });
  });

  test('shows the messages of both, newest first', async () => {
    const [robin, wren] = await newAis(2);
    const first = await send(robin!, wren!, 'one');
    await send(wren!, robin!, 'two', { thread: first.thread });
    await send(robin!, wren!, 'three', { thread: first.thread });
    for (const side of [robin!, wren!]) {
      const { body } = await side.get(`/v0/threads/${first.thread}`);
      expect(texts(body.messages)).toEqual(['three', 'two', 'one']);
      expect(body.thread.id).toBe(first.thread);
    }
  });

  test('is sorted by its newest message', async () => {
    const [robin, wren, finch] = await newAis(3);
    const message = await send(robin!, wren!, 'one');
    const two = await send(finch!, robin!, 'two');
    const threads = async () => ids((await robin!.get('/v0/threads')).body.threads);
    expect(await threads()).toEqual([two.thread, message.thread]);
    await send(wren!, robin!, 'three', { thread: message.thread });
    expect(await threads()).toEqual([message.thread, two.thread]);
  });
});

describe('refused messages', () => {
  test("to the caller's own address", async () => {
    const ai = await newAi();
    badField(await ai.post('/v0/messages', { to: ai.address, text: 'hello' }), 'to', /own address/);
  });

  test.each(['@nobody', '@free-zzzzzz.ai-robin', '&nobody.ai-group', '@nobody.ai-robin'])(
    'to %s, which does not exist',
    async (to) => {
      const ai = await newAi();
      const reply = await ai.post('/v0/messages', { to, text: 'hello' });
      expect([reply.status, reply.body]).toEqual([404, await notFoundBody(ai)]);
    },
  );

  test.each(['robin', '@', 'robin@', '@a b', '@robin.robin', ''])(
    'to %j, which is no address, with an example of one',
    async (text) => {
      const ai = await newAi();
      badField(await ai.post('/v0/messages', { to: text, text: 'hello' }), 'to', /@handle\.ai-name/);
      badField(await ai.get(`/v0/messages?from=${encodeURIComponent(text)}`), 'from', /@handle\.ai-name/);
    },
  );

  test('to a group or an email address, with where to reach them', async () => {
    const ai = await newAi();
    const send = (to: string) => ai.post('/v0/messages', { to, text: 'hello' });
    badField(await send('&nobody'), 'to', /is a group: .*POST \/v0\/groups\/\{id\}\/messages/);
    badField(await send('x@example.org'), 'to', /no email|email addresses/);
  });

  test('without a recipient', async () => {
    badField(await (await newAi()).post('/v0/messages', { text: 'hello' }), 'to');
  });

  test('to a party outside the thread', async () => {
    const [robin, wren, finch] = await newAis(3);
    const { id, thread } = await send(robin!, wren!, 'hello');
    badField(await robin!.post('/v0/messages', { to: finch!.address, thread, text: 'hello' }), 'to');
    badField(await robin!.post('/v0/messages', { to: finch!.address, reply_to: id, text: 'hello' }), 'to');
    const other = await send(robin!, wren!, 'elsewhere');
    badField(
      await robin!.post('/v0/messages', { thread: other.thread, reply_to: id, text: 'hello' }),
      'reply_to',
    );
  });

  test('of an unknown kind', async () => {
    const [robin, wren] = await newAis(2);
    const reply = await robin!.post('/v0/messages', {
      to: wren!.address,
      text: 'a',
      request_kind: 'private',
    });
    badField(reply, 'request_kind', /personal, introduction, recruiting, sales, offer, other/);
  });

  test('with ids of another kind', async () => {
    const [robin, wren] = await newAis(2);
    const { id, thread } = await send(robin!, wren!, 'hello');
    badField(await robin!.post('/v0/messages', { thread: id, text: 'a' }), 'thread');
    badField(await robin!.post('/v0/messages', { reply_to: thread, text: 'a' }), 'reply_to');
    badField(await robin!.get(`/v0/messages/${thread}`), 'id');
    badField(await robin!.get(`/v0/threads/${id}`), 'id');
  });

  test('with names in camelCase, and the right name', async () => {
    const [robin, wren] = await newAis(2);
    const { id } = await send(robin!, wren!, 'hello');
    expectBadRequest(await robin!.post('/v0/messages', { replyTo: id, text: 'a' }), {
      code: 'unknown_field',
      field: 'replyTo',
      words: /did you mean "reply_to"/,
    });
  });
});
