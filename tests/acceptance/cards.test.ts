import { eventually } from '@hearth/testkit/eventually';
import type { TestAi } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { anonymous, atEachGateway, expectStatus, newAi, newAis } from '../support/home.ts';
import { ownKey } from '../support/own-key.ts';
import { allFalse, allTrue, headerOf, keyOf, verdicts } from '../support/records.ts';
import { badField, notFoundBody } from '../support/refusals.ts';

const day = 86_400_000;
const homeDocument = async () => (await anonymous().get('/.well-known/service.json')).body;
const cardOf = async (viewer: TestAi, address: string) =>
  expectStatus(await viewer.get(`/v0/cards/${address}`), 200).body;

describe('a card', () => {
  test('shows the party behind an address', async () => {
    const [robin, wren] = await newAis(2);
    const card = await cardOf(wren!, robin!.address);
    expect(card).toEqual({
      v: 1,
      vouched_by: [],
      accepts: ['personal', 'introduction', 'recruiting', 'sales', 'offer', 'other'],
      type: 'card',
      home: (await homeDocument()).home,
      address: robin!.address,
      kind: 'ai',
      id: robin!.id,
      name: 'Robin 1',
      name_verified: false,
      status: 'unclaimed',
      platform: 'other',
      keys: [],
      reach: { mode: 'unknown', seen: 'today' },
      issued_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      valid_until: expect.any(String),
      signature: { protected: expect.any(String), signature: expect.stringMatching(/^[A-Za-z0-9_-]{86}$/) },
    });
    expect(Date.parse(card.valid_until) - Date.parse(card.issued_at)).toBe(day);
    expect(Math.abs(Date.parse(card.issued_at) - Date.now())).toBeLessThan(60_000);
  });

  test('shows the same to its own subject', async () => {
    const ai = await newAi();
    const { issued_at: _, valid_until: __, signature: ___, ...own } = await cardOf(ai, ai.address);
    expect(own).toMatchObject({ address: ai.address, id: ai.id, kind: 'ai', name: 'Robin' });
  });

  test("lists the key from the AI's sign-up", async () => {
    const { kid, ...own } = ownKey((await homeDocument()).home, 'Robin');
    const robin = await newAi({ ...own, name: 'Robin' });
    const { keys } = await cardOf(await newAi(), robin.address);
    expect(keys).toEqual([
      { kid, ...own.public_key, use: 'sig', status: 'active', from: expect.any(String) },
    ]);
  });

  test.each([
    ['as it stands', (address: string) => address],
    ['percent-encoded', (address: string) => encodeURIComponent(address)],
    ['in capitals', (address: string) => address.toUpperCase().replace('.AI-', '.ai-')],
  ])('is found by its address %s', async (_, write) => {
    const ai = await newAi();
    expect((await cardOf(ai, write(ai.address))).address).toBe(ai.address);
  });
});

describe('the signature of a card', () => {
  test("verifies under the home's key, in independent libraries", async () => {
    const robin = await newAi({ description: 'I plan trips, auch nach Zürich 🦊' });
    const card = await cardOf(await newAi(), robin.address);
    const key = keyOf(await homeDocument(), card.signature);
    expect(headerOf(card.signature)).toEqual({ alg: 'EdDSA', kid: key.kid, typ: 'svc-card+jws' });
    expect(key).toMatchObject({ status: 'active', uses: expect.arrayContaining(['record']) });
    expect(await verdicts(card, card.signature, key.x)).toEqual(allTrue);
  });

  test('fails when anything on the card was changed', async () => {
    const card = await cardOf(await newAi(), (await newAi()).address);
    const { x } = keyOf(await homeDocument(), card.signature);
    for (const change of [
      { name: 'Somebody' },
      { name_verified: true },
      { status: 'claimed' },
      { extra: 1 },
    ]) {
      expect(await verdicts({ ...card, ...change }, card.signature, x)).toEqual(allFalse);
    }
  });

  test('covers the card in the response to a sign-up', async () => {
    const { card } = (await newAi()).signUp.body;
    expect(await verdicts(card, card.signature, keyOf(await homeDocument(), card.signature).x)).toEqual(
      allTrue,
    );
  });
});

describe('an address without a visible party', () => {
  test.each(['@nobody', '@nobody.ai-robin', '@free-zzzzzz.ai-robin', '&nobody'])(
    '%s is not there',
    async (address) => {
      const ai = await newAi();
      const reply = await ai.get(`/v0/cards/${encodeURIComponent(address)}`);
      expect(reply.status).toBe(404);
      expect(reply.body).toEqual(await notFoundBody(ai));
    },
  );

  test('a switched-off AI looks like one that never existed', async () => {
    const [robin, wren] = await newAis(2);
    await cardOf(wren!, robin!.address);
    await robin!.delete('/v0/ais/me');
    const gone = await eventually(
      () => wren!.get(`/v0/cards/${robin!.address}`),
      ({ status }) => status === 404,
    );
    const never = await wren!.get('/v0/cards/@free-zzzzzz.ai-robin');
    expect(gone.body).toEqual(never.body);
    const own = ['date', 'ratelimit', 'ratelimit-policy'];
    const names = (headers: Headers) => [...headers.keys()].filter((name) => !own.includes(name)).sort();
    expect(names(gone.headers)).toEqual(names(never.headers));
  });

  test.each(['robin', '@', '@a b', '@robin.robin', 'robin@', '@robin.ai-', '%00', `@${'a'.repeat(321)}`])(
    'malformed addresses are reported as malformed: %s',
    async (address) => {
      const ai = await newAi();
      badField(await ai.get(`/v0/cards/${encodeURIComponent(decodeURIComponent(address))}`), 'address');
    },
  );

  test('needs a key like every card', async () => {
    expect((await anonymous().get(`/v0/cards/${(await newAi()).address}`)).status).toBe(401);
  });
});

describe('a card that the caller already has', () => {
  test.each([
    ['If-None-Match', (etag: string) => ({ header: etag, suffix: '' })],
    ['If-None-Match, weak', (etag: string) => ({ header: `W/${etag}`, suffix: '' })],
    ['if', (etag: string) => ({ header: '', suffix: `?if=${encodeURIComponent(etag)}` })],
    ['if without quotes', (etag: string) => ({ header: '', suffix: `?if=${etag.slice(1, -1)}` })],
  ])('is answered with 304 by %s', async (_, give) => {
    const [robin, wren] = await newAis(2);
    const path = `/v0/cards/${robin!.address}`;
    const etag = (await wren!.get(path)).headers.get('etag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    const { header, suffix } = give(etag);
    const reply = await wren!.get(`${path}${suffix}`, header === '' ? {} : { 'if-none-match': header });
    expect(reply.status).toBe(304);
    expect(reply.body).toBe('');
    expect(reply.headers.get('etag')).toBe(etag);
  });

  test('is sent again once its content changes', async () => {
    const [robin, wren] = await newAis(2);
    const path = `/v0/cards/${robin!.address}`;
    const etag = (await wren!.get(path)).headers.get('etag')!;
    await robin!.put('/v0/me/description', { text: 'I plan trips' });
    const reply = await eventually(
      () => wren!.get(path, { 'if-none-match': etag }),
      ({ status }) => status === 200,
    );
    expect(reply.body.description).toBe('I plan trips');
    expect(reply.headers.get('etag')).not.toBe(etag);
  });

  test('has the same tag at every gateway', async () => {
    const [robin, wren] = await newAis(2);
    const tags = [];
    for (const client of atEachGateway(wren!.key)) {
      tags.push((await client.get(`/v0/cards/${robin!.address}`)).headers.get('etag'));
    }
    expect(new Set(tags).size).toBe(1);
  });

  test('may be cached for five minutes, by its caller only', async () => {
    const [robin, wren] = await newAis(2);
    const { headers } = await wren!.get(`/v0/cards/${robin!.address}`);
    expect(headers.get('cache-control')).toBe('private, max-age=300');
    expect(headers.get('vary')).toBe('Authorization, Svc-Acting-For, Accept-Encoding');
  });
});
