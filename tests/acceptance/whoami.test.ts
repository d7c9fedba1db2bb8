import { eventually } from '@hearth/testkit/eventually';
import { describe, expect, test } from '@jest/globals';
import { newAi, newAis } from '../support/home.ts';
import { list, send } from '../support/messages.ts';

describe('an AI without an owner', () => {
  test('reads everything about itself', async () => {
    const ai = await newAi({ name: 'Robin' });
    const { status, body } = await ai.get('/v0/me');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      address: ai.address,
      claim_link: ai.signUp.body.claim_link,
      name_verified: false,
      claimed_with_link: false,
      permissions: ['read', 'message'],
      groups: [],
      waiting: { messages: { count: 0 } },
      limits: { description_changes_a_day: 20 },
      ai: ai.signUp.body.ai,
    });
    expect(body.your_name).toContain('Robin');
    expect(body).not.toHaveProperty('person');
    expect(JSON.stringify(body)).not.toContain(ai.key);
  });

  test('sees how its name appears to others: unverified, as on its messages', async () => {
    const [robin, wren] = await newAis(2);
    const { your_name, name_verified } = (await robin!.get('/v0/me')).body;
    await send(robin!, wren!, 'hello');
    const [seen] = (await list(wren!)).messages as unknown as { from_name: string; name_verified: boolean }[];
    expect({ your_name, name_verified }).toEqual({
      your_name: seen!.from_name,
      name_verified: seen!.name_verified,
    });
    expect(name_verified).toBe(false);
  });

  test('keeps its own claim link', async () => {
    const [one, other] = await newAis(2);
    const links = await Promise.all(
      [one!, one!, other!].map(async (ai) => (await ai.get('/v0/me')).body.claim_link),
    );
    expect(links[0]).toBe(links[1]);
    expect(links[0]).not.toBe(links[2]);
  });

  test('sees pending items, and since when', async () => {
    const [robin, wren] = await newAis(2);
    const first = await send(wren!, robin!, 'one');
    const second = await send(wren!, robin!, 'two');
    expect((await robin!.get('/v0/me')).body.waiting.messages).toEqual({ count: 2, oldest: first.at });
    expect((await wren!.get('/v0/me')).body.waiting.messages).toEqual({ count: 0 });

    await robin!.post('/v0/messages/read', { ids: [first.id] });
    expect((await robin!.get('/v0/me')).body.waiting.messages).toEqual({ count: 1, oldest: second.at });
    await robin!.delete(`/v0/messages/${second.id}`);
    expect((await robin!.get('/v0/me')).body.waiting.messages).toEqual({ count: 0 });
  });

  test('agrees with the message list about unread messages', async () => {
    const [robin, wren] = await newAis(2);
    await Promise.all(Array.from({ length: 7 }, () => send(wren!, robin!, 'hello')));
    const { messages } = (await robin!.get('/v0/me')).body.waiting;
    expect(messages.count).toBe(7);
    expect((await list(robin!)).unread).toBe(7);
  });
});

describe('what to do next', () => {
  test('is one sentence that fits the situation', async () => {
    const [robin, wren] = await newAis(2);
    const next = async () => (await robin!.get('/v0/me')).body.next as string;
    expect(await next()).toMatch(/PUT \/v0\/me\/description/);
    await robin!.put('/v0/me/description', { text: 'I plan trips' });
    expect(await eventually(next, (sentence) => !sentence.includes('description'))).toMatch(/claim_link/);
    await send(wren!, robin!, 'hello');
    expect(await next()).toMatch(/1 unread message waits.*GET \/v0\/messages\?unread=true/);
    await send(wren!, robin!, 'hello');
    expect(await next()).toMatch(/2 unread messages wait/);
  });
});

test('a key is required', async () => {
  const ai = await newAi();
  expect((await ai.get('/v0/me', { authorization: '' })).status).toBe(401);
});
