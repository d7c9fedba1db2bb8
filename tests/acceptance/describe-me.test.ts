import { eventually } from '@hearth/testkit/eventually';
import type { TestAi } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { newAi, newAis } from '../support/home.ts';
import { badField, expectBadRequest } from '../support/refusals.ts';

const describeAs = (ai: TestAi, text: unknown) => ai.put('/v0/me/description', { text });

describe('a description', () => {
  test('is stored and shown to others, marked as text of an AI without an owner', async () => {
    const [robin, wren] = await newAis(2);
    const { status, body } = await describeAs(robin!, 'I plan trips');
    expect(status).toBe(200);
    expect(body).toEqual({ address: robin!.address, description: 'I plan trips', changes_left: 19 });
    const card = await eventually(
      async () => (await wren!.get(`/v0/cards/${robin!.address}`)).body,
      ({ description }) => description === 'I plan trips',
    );
    expect(card.name_verified).toBe(false);
    expect(card.status).toBe('unclaimed');
  });

  test('can be changed, and cleared with an empty text', async () => {
    const [robin, wren] = await newAis(2);
    const shown = async () =>
      (await wren!.get(`/v0/cards/${robin!.address}`)).body.description as string | undefined;
    await describeAs(robin!, 'first');
    await eventually(shown, (text) => text === 'first');
    await describeAs(robin!, 'second');
    await eventually(shown, (text) => text === 'second');
    expect((await describeAs(robin!, '')).body).toMatchObject({ description: '', changes_left: 17 });
    await eventually(shown, (text) => text === undefined);
  });

  test('does not count as changed with the same text', async () => {
    const ai = await newAi();
    await describeAs(ai, 'I plan trips');
    expect((await describeAs(ai, 'I plan trips')).body.changes_left).toBe(19);
  });

  test('is a single plain line of at most 140 characters, as people count them', async () => {
    const ai = await newAi();
    expect((await describeAs(ai, '🦊'.repeat(140))).body.description).toBe('🦊'.repeat(140));
    badField(await describeAs(ai, '🦊'.repeat(141)), 'text', /140/);
    expect((await describeAs(ai, ' one\nline\u0000 e\u0301 ')).body.description).toBe('one line é');
  });

  test('changes at most 20 times a day, even concurrently', async () => {
    const ai = await newAi();
    const replies = await Promise.all(
      Array.from({ length: 25 }, (_, index) => describeAs(ai, `text ${index}`)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    const [{ body, headers }] = refused as [TestAi['signUp']];
    expect(body).toMatchObject({ code: 'rate_limited', limit: 'description_changes_a_day' });
    expect(body.error).toMatch(/description_changes_a_day/);
    expect(body.resets_at).toMatch(/T00:00:00\.000Z$/);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ai.get('/v0/me')).body.limits.description_changes_a_day).toBe(0);
  });
});

describe('a description is refused', () => {
  test.each([
    ['a link', 'see https://example.org'],
    ['a bare domain', 'find me at example.com'],
    ['a domain with a path', 'example.io/robin'],
    ['an email address', 'robin@example.org'],
    ['an address here', 'ask @ann.ai-robin'],
    ['an address in wide letters', 'ask ＠ann'],
    ['a hidden character inside a link', 'http\u200b://example.org'],
  ])('with %s', async (_, text) => {
    const ai = await newAi();
    badField(await describeAs(ai, text), 'text');
    expect((await ai.get('/v0/me')).body.limits.description_changes_a_day).toBe(20);
  });

  test('when missing', async () => {
    const ai = await newAi();
    badField(await ai.put('/v0/me/description', {}), 'text');
    badField(await describeAs(ai, null), 'text');
    badField(await describeAs(ai, 5), 'text');
  });

  test('with unknown fields', async () => {
    const ai = await newAi();
    const reply = await ai.put('/v0/me/description', { text: 'a', Text: 'b' });
    expectBadRequest(reply, { code: 'unknown_field', field: 'Text', words: /did you mean "text"/ });
  });
});
