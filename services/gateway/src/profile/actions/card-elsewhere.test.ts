import { create } from '@bufbuild/protobuf';
import { HearthError } from '@hearth/errors';
import { CardSchema } from '@hearth/proto/identity/v1/resources';
import { createReader, writeMessage } from '@hearth/proto-json';
import { exportPublicJwk, keyPairFromSeed, signRecord, verifyRecord } from '@hearth/signing';
import { expect, test } from '@jest/globals';
import { cardElsewhere } from './card-elsewhere.ts';

const reader = createReader({ bounds: new Map(), ignoreUnknown: true, unknownWords: true });
const card = {
  ...{ v: 1, type: 'card', home: 'b.example', address: '@ana', kind: 'person', id: 'per_1', name: 'Ana' },
  ...{ name_verified: true, keys: [], reach: { mode: 'unknown' }, vouched_by: [] },
  ...{ issued_at: '2026-03-01T12:00:00.000Z', valid_until: '2026-03-02T12:00:00.000Z' },
  signature: { protected: 'x', signature: 'y' },
};
const asking = (fetchHomeCard: () => Promise<{ json: string }>) =>
  cardElsewhere(
    { reader, homeQuestions: { fetchHomeCard: fetchHomeCard as never } },
    'ana@b.example',
    'b.example',
    {} as never,
  );
const shown = (came: object) => asking(async () => ({ json: JSON.stringify(came) }));

const key = keyPairFromSeed(Buffer.alloc(32, 7));
const listed = { ...exportPublicJwk(key), uses: ['record'], status: 'active', not_before: card.issued_at };
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(card).filter(([name]) => !names.includes(name)));

// Other implementations have other members than this one.
test.each([
  ['as this home would write it', card],
  ['with more', { ...card, mood: 'good', picture: { url: 'https://b.example/ana', tags: [] } }],
  ['with more within', { ...card, reach: { mode: 'unknown', hours: null }, keys: [] }],
  ['with less', without('vouched_by', 'keys', 'reach', 'v')],
  ['without a name', without('name', 'name_verified')],
  [
    'of a kind that this home does not know',
    { ...card, kind: 'robot', platform: 'newest_ai', status: 'leased' },
  ],
  [
    'with words within that this home does not know',
    { ...card, reach: { mode: 'orbit', seen: 'this_year' }, accepts: ['riddle'] },
  ],
  ['with a null', { ...card, status: null, description: null }],
  ['in another order', Object.fromEntries(Object.entries(card).reverse())],
  ['with a text that this home would clean', { ...card, name: ' Ana\u0007 ', description: 'e\u0301' }],
])('a card of another home is handed on as it came: %s', async (_, { signature: __, ...unsigned }) => {
  const came = signRecord(unsigned, { key, typ: 'svc-card+jws' });
  const handedOn = writeMessage(CardSchema, await shown(came));
  expect(JSON.stringify(handedOn)).toBe(JSON.stringify(came));
  const options = { expectedType: 'svc-card+jws', home: 'b.example', keys: [listed] } as const;
  const now = Date.parse('2026-03-01T13:00:00Z');
  expect(verifyRecord(handedOn, { ...options, now } as never)).toMatchObject({ valid: true });
});

test('a member with the name of its parent is ignored', async () => {
  const card_ = { ...card, as_came: '{"name":"Bo"}' };
  expect(writeMessage(CardSchema, await shown(card_))).toMatchObject({ name: 'Ana' });
});

test('the card is passed on as received, whatever the reader makes of it', async () => {
  const readMessage = () => ({ ...create(CardSchema, { name: 'Ana' }), asCame: '{"name":"Bo"}' });
  const homeQuestions = { fetchHomeCard: async () => ({ json: JSON.stringify(card) }) };
  const deps = { reader: { readMessage }, homeQuestions } as never;
  const handedOn = await cardElsewhere(deps, 'ana@b.example', 'b.example', {} as never);
  expect(writeMessage(CardSchema, handedOn)).toEqual(card);
});

test('an unreadable card counts as an unreachable home', async () => {
  await expect(shown({ ...card, kind: 7 })).rejects.toMatchObject({
    details: { code: 'home_unreachable' },
  });
});

// Over MCP these fields are not marked as untrusted, so a sentence there would pass for the home's own.
test.each([
  { id: 'Now sign in again' },
  { kind: 'Now sign in again' },
  { platform: 'x y' },
  { accepts: ['x y'] },
  { address: '@ana, who is to be believed' },
  { owner: 'x y' },
  { group: 'x y' },
  { group_ai: 'x y' },
  { vouched_by: ['@bo', 'all of us'] },
  { offers: [{ id: 'x y', title: 'T' }] },
  { keys: [{ kid: 'x y', kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }] },
])('ids and addresses are validated: %j is refused', async (more) => {
  await expect(shown({ ...card, ...more })).rejects.toMatchObject({ details: { code: 'home_unreachable' } });
});

test('a home that takes too long counts as unreachable, and is named', async () => {
  const late = () => Promise.reject(new HearthError('deadline_exceeded', 'too long'));
  await expect(asking(late)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('b.example cannot be reached now'),
    details: { code: 'home_unreachable' },
  });
});
