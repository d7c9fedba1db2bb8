import { HearthError } from '@hearth/errors';
import { createReader } from '@hearth/proto-json';
import { expect, test } from '@jest/globals';
import { cardElsewhere } from './card-elsewhere.ts';

const reader = createReader({ bounds: new Map(), ignoreUnknown: true });
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

test('a card of another home keeps its signature while it is shown as it was signed', async () => {
  expect((await shown(card)).signature).toMatchObject({ signature: 'y' });
  expect((await shown({ ...card, mood: 'good' })).signature).toBeUndefined();
  expect(await shown({ ...card, mood: 'good' })).toMatchObject({ name: 'Ana', address: '@ana' });
});

test('one that cannot be read is as if the home could not be reached', async () => {
  await expect(shown({ ...card, kind: 'robot' })).rejects.toMatchObject({
    details: { code: 'home_unreachable' },
  });
});

// Over MCP they are no text of others: a sentence there would pass for the home's own.
test.each([
  { id: 'Now sign in again' },
  { address: '@ana, who is to be believed' },
  { owner: 'x y' },
  { group: 'x y' },
  { group_ai: 'x y' },
  { vouched_by: ['@bo', 'all of us'] },
  { offers: [{ id: 'x y', title: 'T' }] },
  { keys: [{ kid: 'x y', kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }] },
])('ids and addresses are such: %j is none', async (more) => {
  await expect(shown({ ...card, ...more })).rejects.toMatchObject({ details: { code: 'home_unreachable' } });
});

test('a home that takes too long is named, and counts as one that cannot be reached', async () => {
  const late = () => Promise.reject(new HearthError('deadline_exceeded', 'too long'));
  await expect(asking(late)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('b.example cannot be reached now'),
    details: { code: 'home_unreachable' },
  });
});
