import { DecisionSchema } from '@hearth/proto/decisions/v1/decisions';
import { expect, test } from '@jest/globals';
import { isAbroad, saysWords, toAbroad, toHere } from './abroad.ts';

const own = {
  id: '7',
  title: 'write to @ana',
  group: { id: 'grp_1', name: 'Chess', address: '&chess' },
  asked_by: { id: 'per_1', name: 'Ana', address: '@ana' },
  waiting_on: ['@ana', 'ben@other.example'],
  clash: { question: 'When?', sides: [{ answer: '@ana', people: ['ben@other.example'] }] },
  record: { by: '@ana' },
  receipt: 'https://home.example/receipts/1',
  revision: 3,
};
const told = {
  ...own,
  id: 'r:home.example:7',
  group: { id: 'r:home.example:grp_1', name: 'Chess', address: '&chess@home.example' },
  asked_by: { name: 'Ana', address: 'ana@home.example' },
  waiting_on: ['ana@home.example', 'ben@other.example'],
  receipt: undefined,
};
const homeNames = { ownHome: 'other.example' };

test('addresses and ids gain their home, reader-specific fields are dropped, and nothing else changes', () => {
  expect(toAbroad(DecisionSchema, own, 'home.example')).toEqual(told);
  expect(toAbroad(DecisionSchema, told, 'home.example')).toEqual(told);
});

test('the receiving home sees its own people under their local addresses', () => {
  expect(toHere(DecisionSchema, told, homeNames)).toEqual({
    ...told,
    waiting_on: ['ana@home.example', '@ben'],
    clash: { question: 'When?', sides: [{ answer: '@ana', people: ['@ben'] }] },
  });
  expect(toHere(DecisionSchema, told, { ownHome: 'home.example' })).toMatchObject({
    id: '7',
    group: own.group,
  });
});

test('an object is accepted only with full addresses and references', () => {
  expect(isAbroad(DecisionSchema, told, 'home.example', homeNames)).toBe(true);
  for (const bad of [
    { id: '7' },
    { id: 'r:home.example:../x' },
    { waiting_on: ['ana@home.example', '@ben'] },
    { waiting_on: ['Ben@other.example'] },
    { asked_by: { name: 'Ana', address: 'ana' } },
    { clash: { sides: [{ people: ['per_1'] }] } },
    { group: { ...told.group, id: 'r:other.example:grp_1' } },
    { group: { ...told.group, address: '&chess@other.example' } },
  ])
    expect(isAbroad(DecisionSchema, { ...told, ...bad }, 'home.example', homeNames)).toBe(false);
});

test('a field that is not free text is a single word of at most 300 characters', () => {
  const says = (why: string) => saysWords(DecisionSchema, { ...told, why });
  for (const word of ['', 'no_answers', 'Europe/Zurich', 'mtg_1@home.example', '+02:00', 'x'.repeat(300)])
    expect([word, says(word)]).toEqual([word, true]);
  for (const other of ['x'.repeat(301), 'no answers', 'no_answers\n', 'naïve', '<b>'])
    expect([other, says(other)]).toEqual([other, false]);
});
