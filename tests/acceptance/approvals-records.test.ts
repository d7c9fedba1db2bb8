import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  ask,
  digestOf,
  expectSigned,
  get,
  type SignedAnswer,
  settle,
  verdictsOf,
} from '../support/approvals.ts';
import { newApp, newGroup, newPerson, operator, type TestPerson } from '../support/apps.ts';
import { anonymous, expectStatus, newAi } from '../support/home.ts';
import { allFalse } from '../support/records.ts';
import { notFoundBody } from '../support/refusals.ts';

let ann: TestPerson;
let bob: TestPerson;
let robin: Awaited<ReturnType<typeof newAi>>;
/** Ann asked, and Bob answered by picking. */
let record: SignedAnswer;
let receipt: URL;

const asked = {
  title: 'Which train “Zürich”?',
  details: 'The \\early\u2028 one\nor the late one',
  choices: ['9:30', '11:00 🚆'],
};

beforeAll(async () => {
  const app = await newApp();
  [ann, bob, robin] = await Promise.all([newPerson(app), newPerson(app, { name: 'Bob Jones' }), newAi()]);
  const { id } = await ask(ann, [bob.address], asked);
  const answered = await settle(bob, id, 'approved', { answer: '11:00 🚆', note: 'I sleep “long”' });
  record = answered.signed_answer as SignedAnswer;
  receipt = new URL(answered.receipt!);
}, 240_000);

describe('the record of an answer', () => {
  test('contains the question and the answer, and nothing else', async () => {
    const { home } = (await anonymous().get('/.well-known/service.json')).body;
    const iso = expect.stringMatching(/Z$/);
    expect(record).toEqual({
      v: 1,
      type: 'approval.answer',
      id: expect.stringMatching(/^rec_[0-9a-f]{32}$/),
      home,
      issued_at: iso,
      subject: { kind: 'approval', id: expect.stringMatching(/^apr_[0-9a-f]{32}$/) },
      ask: {
        id: (record['subject'] as { id: string }).id,
        title: asked.title,
        kind: 'ask',
        request_kind: 'other',
        choices: asked.choices,
        free_text: false,
        needs: 'any',
        about_child: false,
        requested_by: ann.address,
        requested_name_verified: true,
        requested_at: iso,
        expires_at: iso,
        digest: expect.stringMatching(/^sha-256:/),
      },
      answers: [
        {
          to: bob.address,
          name: 'Bob Jones',
          decision: 'approved',
          answer: '11:00 🚆',
          note: 'I sleep “long”',
          at: iso,
          by: 'person',
          via: 'app',
          proof: 'tap',
        },
      ],
      status: 'approved',
      settled_at: iso,
      signature: { protected: expect.any(String), signature: expect.any(String) },
    });
  });

  test('is signed by the home, verifies in other libraries, and no change goes unnoticed', async () => {
    await expectSigned(record);
    const changed = [
      { ...record, status: 'declined' },
      { ...record, answers: record.answers.map((answer) => ({ ...answer, answer: '9:30' })) },
      { ...record, ask: { ...record.ask, requested_by: '@somebody' } },
      { ...record, more: true },
    ];
    for (const forged of changed) expect(await verdictsOf(forged)).toEqual(allFalse);
  });

  test('contains the digest of the question, as anyone can compute it', async () => {
    const { details, ...rest } = asked;
    // Control characters are removed; the ask is signed as stored.
    const stored = await get(ann, record.ask['id'] as string);
    const kept = (stored as unknown as { details: string }).details;
    expect(record.ask['digest']).toBe(
      digestOf({ ...rest, details: kept, free_text: false, to: [bob.address] }),
    );
    expect(record.ask['digest']).not.toBe(
      digestOf({ ...rest, details: `${details}!`, free_text: false, to: [bob.address] }),
    );
  });

  test.each(['declined', 'cancelled', 'by several'])('exists for every outcome: %s', async (end) => {
    const wren = await newAi();
    const owl = await newAi({ name: 'Owl' });
    const { id } = await ask(robin, [wren.address, owl.address], { needs: 'all' });
    if (end === 'cancelled') expectStatus(await robin.delete(`/v0/approvals/${id}`), 200);
    else await settle(wren, id, end === 'declined' ? 'declined' : 'approved');
    if (end === 'by several') await settle(owl, id, 'approved');
    const signed = await expectSigned((await get(robin, id)).signed_answer);
    expect([signed.status, signed.answers.length]).toEqual(
      { declined: ['declined', 1], cancelled: ['cancelled', 0], 'by several': ['approved', 2] }[end],
    );
  });
});

describe('get_record', () => {
  const path = (k?: string) => `/v0/records/${record.id}${k === undefined ? '' : `?k=${k}`}`;

  test("is available to the people concerned, and to anyone with the receipt's link", async () => {
    const key = receipt.searchParams.get('k')!;
    expect(receipt.pathname).toBe(`/r/${record.id}`);
    for (const who of [ann, bob]) expect((await who.get(path())).body).toEqual(record);
    for (const who of [anonymous(), robin, ann]) expect((await who.get(path(key))).body).toEqual(record);
  });

  test('is not found for everyone else', async () => {
    const key = receipt.searchParams.get('k')!;
    const stranger = await newPerson(await newApp());
    const flipped = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    const nothing = await notFoundBody(robin);
    for (const who of [anonymous(), robin, stranger, stranger.app]) {
      for (const k of [undefined, flipped, 'x'.repeat(22)]) {
        const reply = await who.get(path(k));
        expect([reply.status, reply.body]).toEqual([404, nothing]);
      }
    }
    const unknown = await anonymous().get(`/v0/records/rec_${'0'.repeat(32)}?k=${key}`);
    expect([unknown.status, unknown.body]).toEqual([404, nothing]);
    expect((await anonymous().get(path('short'))).body.code).toBe('bad_field');
    // The operator cannot see people's answers.
    expect([401, 403, 404]).toContain((await operator().get(path())).status);
  });
});

describe('verify_record', () => {
  const verify = async (changed: unknown) =>
    expectStatus(await anonymous().post('/v0/verify', { record: changed }), 200).body;

  test('accepts a record as it was served', async () => {
    expect(await verify(record)).toEqual({
      valid: true,
      verdict: 'valid',
      home: record.home,
      kid: expect.any(String),
      key_status: 'active',
      type: 'approval.answer',
      faults: [],
      problems: [],
      notes: [],
    });
  });

  test.each<[string, (good: SignedAnswer) => Record<string, unknown>]>([
    ['another status', (good) => ({ ...good, status: 'declined' })],
    ['one more member', (good) => ({ ...good, more: 1 })],
    [
      'a changed byte of the signature',
      (good) => {
        const { signature } = good.signature;
        const first = signature.startsWith('A') ? 'B' : 'A';
        return { ...good, signature: { ...good.signature, signature: first + signature.slice(1) } };
      },
    ],
    ['no signature', ({ signature, ...rest }) => rest],
    ['another home', (good) => ({ ...good, home: 'elsewhere.example' })],
    ['no home', ({ home, ...rest }) => rest],
    ['a fraction', (good) => ({ ...good, v: 1.5 })],
    ['nothing at all', () => ({})],
  ])('refuses %s with the reason', async (_, change) => {
    const { valid, problems } = await verify(change(record));
    expect(valid).toBe(false);
    expect(problems.length).toBeGreaterThan(0);
  });

  test('accepts cards too, up to 128 KiB', async () => {
    const card = expectStatus(await robin.get(`/v0/cards/${encodeURIComponent(robin.address)}`), 200).body;
    expect(await verify(card)).toMatchObject({ valid: true, problems: [] });
    const of = (bytes: number) => anonymous().post('/v0/verify', { record: { text: 'x'.repeat(bytes) } });
    expectStatus(await of(131_000), 200);
    expect([400, 413]).toContain((await of(131_072)).status);
    for (const none of [[], 'text', null]) {
      expect((await anonymous().post('/v0/verify', { record: none })).status).toBe(400);
    }
  });
});

describe('an ask within a group', () => {
  test('is recorded as such', async () => {
    const group = await newGroup(ann);
    const { id } = await ask(ann, [bob.address], { group: group.address });
    const { signed_answer: signed } = await settle(bob, id, 'approved');
    expect((await expectSigned(signed)).ask).toMatchObject({
      group: { id: group.id, name: 'Book club', address: group.address },
    });
  });

  test('cannot be created by non-members, nor by an AI without the permission', async () => {
    const group = await newGroup(bob);
    const refused = await ann.post('/v0/approvals', { title: 'x', to: [bob.address], group: group.id });
    expect([refused.status, refused.body]).toEqual([404, await notFoundBody(robin)]);
    const { ai } = expectStatus(
      await bob.post('/v0/ais', { name: 'Helper', permissions: ['message'] }),
      201,
    ).body;
    const without = await bob.app
      .as(ai.id)
      .post('/v0/approvals', { title: 'x', to: [ann.address], group: group.id });
    expect([without.status, without.body.error]).toEqual([403, expect.stringMatching(/permission group/)]);
  });
});
