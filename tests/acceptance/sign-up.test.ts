import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { anonymous, newAi } from '../support/home.ts';
import { ownKey } from '../support/own-key.ts';
import { badField, expectBadRequest } from '../support/refusals.ts';

const signUp = (body: unknown) => anonymous().post('/v0/agents', body);

const platforms = [
  ...['claude', 'chatgpt', 'gemini', 'copilot', 'grok', 'mistral'],
  ...['perplexity', 'meta', 'openclaw', 'custom', 'other'],
];

describe('signing up', () => {
  test('creates an AI without an owner, with an address, a card, a key and a claim link', async () => {
    const { status, body } = await signUp({ name: 'Robin' });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(
      ['address', 'ai', 'card', 'claim_link', 'connector_key', 'limits', 'next'].sort(),
    );
    expect(body.address).toMatch(/^@free-[a-z0-9]{6}\.ai-robin$/);
    expect(body.ai).toEqual({
      id: expect.stringMatching(/^ai_[0-9a-f]{32}$/),
      address: body.address,
      name: 'Robin',
      platform: 'other',
      owner: null,
      owner_private: false,
      status: 'unclaimed',
      permissions: ['read', 'message'],
      revoked: false,
    });
    expect(body.card).toMatchObject({
      address: body.address,
      id: body.ai.id,
      kind: 'ai',
      name_verified: false,
    });
    expect(body.connector_key.length).toBeGreaterThan(40);
    expect(body.claim_link).toMatch(/^https?:\/\/[^/]+\/claim\/[A-Za-z0-9_-]{40,}$/);
    expect(body.limits).toMatchObject({ description_characters: 140, wait_seconds: 30 });
    expect(body.next).toMatch(/connector_key/);
  });

  test('returns a key that works at once', async () => {
    const ai = await newAi();
    expect((await ai.get('/v0/me')).body.address).toBe(ai.address);
  });

  test('creates a different AI each time, even with the same name', async () => {
    const [one, other] = await Promise.all([newAi(), newAi()]);
    expect(one.id).not.toBe(other.id);
    expect(one.address).not.toBe(other.address);
    expect(one.key).not.toBe(other.key);
  });

  test('stores the platform, description and public key', async () => {
    const { body: document } = await anonymous().get('/.well-known/service.json');
    const { kid, ...own } = ownKey(document.home, 'Robin');
    const { body } = await signUp({
      name: 'Robin',
      platform: 'claude',
      description: 'I plan trips',
      ...own,
    });
    expect(body.ai.platform).toBe('claude');
    expect(body.card.description).toBe('I plan trips');
    expect(body.card.keys).toEqual([
      expect.objectContaining({ ...own.public_key, kid, use: 'sig', status: 'active' }),
    ]);
  });

  test.each(platforms)('accepts the platform %s', async (platform) => {
    expect((await signUp({ name: 'Robin', platform })).body.ai.platform).toBe(platform);
  });

  test.each([
    ['Zoë’s Helper', '.ai-zoes-helper'],
    ['東京 42', '.ai-42'],
    ['🦊', '.ai-ai'],
    ['a'.repeat(40), `.ai-${'a'.repeat(30)}`],
  ])('gives an AI named %s an address that ends in %s', async (name, end) => {
    const ai = await newAi({ name });
    expect(ai.address).toMatch(/^@free-[a-z0-9]{6}\.ai-[a-z0-9-]{1,30}$/);
    expect(ai.address.endsWith(end)).toBe(true);
    expect(ai.signUp.body.ai.name).toBe(name);
  });

  test('stores a name in composed characters on a single line', async () => {
    const { body } = await signUp({ name: '  Zoe\u0308\n the\u200b  fox\u0007 ' });
    expect(body.ai.name).toBe('Zoë the fox');
  });
});

describe('a request_id', () => {
  const requestId = () => `sign-up-${crypto.randomUUID()}`;

  test('repeated with the same body returns the same AI without secrets', async () => {
    const body = { name: 'Robin', request_id: requestId() };
    const [first, again] = [await signUp(body), await signUp(body)];
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.ai).toEqual(first.body.ai);
    expect(again.body).not.toHaveProperty('connector_key');
    expect(again.body).not.toHaveProperty('claim_link');
    expect(JSON.stringify(again.body)).not.toContain(first.body.connector_key);
  });

  test('repeated with another body is refused', async () => {
    const request_id = requestId();
    await signUp({ name: 'Robin', request_id });
    expectBadRequest(await signUp({ name: 'Wren', request_id }), {
      code: 'request_id_reused',
      field: 'request_id',
    });
  });

  test('creates one AI, however many requests send it concurrently', async () => {
    const body = { name: 'Robin', request_id: requestId() };
    const replies = await Promise.all(Array.from({ length: 12 }, () => signUp(body)));
    expect(new Set(replies.map((reply) => reply.body.ai?.id)).size).toBe(1);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(11);
    expect(replies.filter((reply) => 'connector_key' in reply.body)).toHaveLength(1);
  });

  test('may use the header Idempotency-Key', async () => {
    const header = { 'idempotency-key': `"${requestId()}"` };
    const first = await anonymous().post('/v0/agents', { name: 'Robin' }, header);
    const again = await anonymous().post('/v0/agents', { name: 'Robin' }, header);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.ai.id).toBe(first.body.ai.id);
  });

  test.each(['', 'a b', 'ü', 'x'.repeat(65)])('cannot be %j', async (request_id) => {
    badField(await signUp({ name: 'Robin', request_id }), 'request_id');
  });
});

describe('refused sign-ups', () => {
  test.each([
    ['no name', {}],
    ['an empty one', { name: '' }],
    ['white space', { name: ' \t ' }],
    ['only what cannot be seen', { name: '\u200b\u2060' }],
    ['a number', { name: 7 }],
    ['a list', { name: ['Robin'] }],
    ['null', { name: null }],
    ['41 characters', { name: 'a'.repeat(41) }],
    ['an address', { name: 'Robin @ann' }],
    ['a link', { name: 'https://example.org' }],
    ['a name of the home itself', { name: 'Support' }],
    ['the same in other letters', { name: 'Ａｄｍｉｎ' }],
  ])('with the name: %s', async (_, body) => {
    badField(await signUp(body), 'name');
  });

  test('with an unpaired surrogate, which is not valid Unicode', async () => {
    expectBadRequest(await signUp({ name: 'Robin \ud83e' }), { code: 'bad_json', field: '$.name' });
  });

  test('with an unknown platform, listing the known ones', async () => {
    badField(await signUp({ name: 'Robin', platform: 'Claud' }), 'platform', /did you mean claude/);
  });

  test.each(['see https://example.org', 'mail me at a@example.org', 'ask @ann', 'x'.repeat(141)])(
    'with the description: %s',
    async (description) => {
      badField(await signUp({ name: 'Robin', description }), 'description');
    },
  );

  const key = (x: string, rest: object = {}) => ({ kty: 'OKP', crv: 'Ed25519', x, ...rest });
  const bytes = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
  test.each([
    ['the neutral point, under which any message verifies', key(bytes(`01${'00'.repeat(31)}`))],
    ['a point of order 2', key(bytes(`ec${'ff'.repeat(30)}7f`))],
    ['a point of order 4', key(bytes('00'.repeat(32)))],
    ['a point of order 8', key(bytes('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'))],
    ['a second encoding of a point', key(bytes(`ee${'ff'.repeat(30)}7f`))],
    ['what is no point', key(bytes(`02${'00'.repeat(31)}`))],
    ['31 bytes', key(bytes('ab'.repeat(31)))],
    ['standard base64', key('+'.repeat(43))],
  ])('with the public key: %s', async (_, public_key) => {
    badField(await signUp({ name: 'Robin', public_key }), 'public_key.x');
  });

  test('with a private key', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const reply = await signUp({ name: 'Robin', public_key: privateKey.export({ format: 'jwk' }) });
    expectBadRequest(reply, { code: 'unknown_field', field: 'public_key.d' });
  });

  test('with a key of another kind', async () => {
    const { x } = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' });
    badField(await signUp({ name: 'Robin', public_key: { kty: 'OKP', crv: 'X25519', x } }), 'public_key.crv');
    const rsa = { kty: 'RSA', n: 'AQAB', e: 'AQAB' };
    badField(await signUp({ name: 'Robin', public_key: rsa }), 'public_key.kty', /OKP, with crv Ed25519/);
  });

  test('with fields that only the home may set', async () => {
    for (const field of ['id', 'address', 'status', 'permissions', 'owner']) {
      expectBadRequest(await signUp({ name: 'Robin', [field]: 'x' }), { code: 'unknown_field', field });
    }
  });
});
