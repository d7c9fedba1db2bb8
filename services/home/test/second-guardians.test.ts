import { parseId, systemRandom } from '@hearth/ids';
import { createSealer } from '@hearth/sealing';
import { follows } from '@hearth/testkit';
import type { ApiClient } from '@hearth/testkit/home';
import { codeFor, type WebVisitor, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startWholeHome } from './support/whole-home.ts';

/* A child with two guardians, in a group of another adult: either guardian acts for the child. */

const home = await startWholeHome();
afterAll(() => home.stop());

type Reply = ReturnType<ApiClient['get']>;

const ok = async (reply: Reply) => {
  const { body, status } = await reply;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
};
const codeOf = async (reply: Reply) => {
  const { body, status } = await reply;
  return `${status} ${body?.code ?? ''}`.trimEnd();
};

interface Person extends ApiClient {
  id: string;
  address: string;
  visitor: WebVisitor;
}

async function signIn(name: string): Promise<Person> {
  const visitor = await home.signIn(`${name.toLowerCase()}@example.com`, { name: `${name} Lovelace` });
  const client = home.api(visitor.cookie('hearth_session')!);
  const { address, id } = (await ok(client.get('/v0/me'))).person;
  return { ...client, address, id, visitor };
}

let ada: Person;
let ben: Person;
let cleo: Person;
let dora: Person;
beforeAll(async () => {
  [ada, ben, cleo, dora] = (await Promise.all(['Ada', 'Ben', 'Cleo', 'Dora'].map(signIn))) as [
    Person,
    Person,
    Person,
    Person,
  ];
  const family = await ok(ada.post('/v0/groups', { name: 'Family' }));
  const { code } = await ok(ada.post(`/v0/groups/${family.id}/invites`, { reusable: true }));
  for (const person of [ben, dora]) await ok(person.post(`/v0/invites/${code}/accept`));
});

const birth = (years: number) => `${new Date(performance.timeOrigin).getUTCFullYear() - years}-01`;
const idsOf = (...people: Person[]) => people.map(({ id }) => id).toSorted();

/** A child of Ada's and Ben's, brought by Ben into a group of Cleo's. */
let mia: string;
let group: string;
beforeEach(async () => {
  const child = { name: 'Mia Lovelace', birth_year_month: birth(10) };
  mia = (await ok(ada.post('/v0/people', child))).id;
  await ok(ada.put(`/v0/people/${mia}/guardian`, { guardian: ben.address, second: true }));
  const settings = { minors: 'guardian', join_review: 'none' };
  group = (await ok(cleo.post('/v0/groups', { name: 'Rowers', settings }))).id;
  const invite = await ok(cleo.post(`/v0/groups/${group}/invites`, { for_age: 'child' }));
  await ok(ben.post(`/v0/invites/${invite.code}/accept`, { for: mia }));
});

const questions = ['Which boat?', 'Which oars?'].map((prompt) => ({
  ...{ kind: 'choice', prompt },
  options: ['Red', 'Blue'],
}));
const answers = { answers: [1, 2].map((question_id) => ({ question_id, answer: 'Red' })) };
const approved = { decision: 'approved', version: 1 };

/** A decision of the group that Cleo has answered. */
async function newDecision(): Promise<string> {
  const fields = { group, title: 'Boats', questions, needs: 'all' };
  const { id } = await ok(cleo.post('/v0/decisions', fields));
  await ok(cleo.post(`/v0/decisions/${id}/answers`, answers));
  return `/v0/decisions/${id}`;
}

const options = [{ starts_at: '2090-05-03T18:00:00Z' }, { starts_at: '2090-05-04T18:00:00Z' }];
const stances = (first: string, second: string) => ({
  stances: [
    { option: 1, stance: first },
    { option: 2, stance: second },
  ],
});

/** A plan of the group of which the second time doesn't suit Cleo. */
async function newPlan(): Promise<string> {
  const { id } = await ok(cleo.post('/v0/plans', { group, title: 'Row', options }));
  await ok(cleo.post(`/v0/plans/${id}/stances`, stances('works', 'doesnt_work')));
  return `/v0/plans/${id}`;
}

/** The people that Cleo's decision or plan waits for, as they see it. */
const awaited = async (path: string, ...seenBy: Person[]) =>
  await Promise.all(seenBy.map(async (person) => (await ok(person.get(path))).waiting_on.toSorted()));

/** The acts of a guardian for the child, on a new decision or plan where one is needed. */
const acts: [string, (by: Person) => Reply][] = [
  ['answers a decision', async (by) => by.post(`${await newDecision()}/answers`, answers)],
  ['takes stances on a plan', async (by) => by.post(`${await newPlan()}/stances`, stances('works', 'works'))],
  ['lets AIs act', (by) => by.patch(`/v0/people/${mia}`, { ai_share: true })],
  ['sees with whom the child deals', (by) => by.get(`/v0/people/${mia}/contacts`)],
  ['takes the child out of the group', (by) => by.post(`/v0/groups/${group}/leave`, { person: mia })],
];

test.each([
  ['first', () => ada],
  ['second', () => ben],
])('the %s guardian answers, approves and chooses for the child, and both are asked', async (_, actor) => {
  const acting = actor();
  const decision = await newDecision();
  expect(await awaited(decision, ada, ben)).toEqual([idsOf(ada, ben), idsOf(ada, ben)]);
  expect(await codeOf(dora.get(decision))).toBe('404 not_found');
  expect((await ok(acting.post(`${decision}/answers`, answers))).status).toBe('proposed');
  expect((await ok(cleo.post(`${decision}/approve`, approved))).status).toBe('proposed');
  expect(await awaited(decision, ada, ben)).toEqual([idsOf(ada, ben), idsOf(ada, ben)]);
  expect((await ok(acting.post(`${decision}/approve`, approved))).status).toBe('agreed');

  const plan = await newPlan();
  expect(await awaited(plan, ada, ben)).toEqual([idsOf(ada, ben), idsOf(ada, ben)]);
  await ok(acting.post(`${plan}/stances`, stances('doesnt_work', 'works')));
  await ok(cleo.post(`${plan}/choose`, { option: 1 }));
  expect(await awaited(plan, ada, ben)).toEqual([idsOf(ada, ben), idsOf(ada, ben)]);
  expect(await ok(acting.post(`${plan}/choose`, { option: 1 }))).toMatchObject({ settled_option: 1 });
});

test('either guardian can do the same, and both are named on the child’s page', async () => {
  for (const person of [ada, ben]) {
    for (const [, act] of acts.slice(0, -1)) await ok(act(person));
    const page = wordsOf(await person.visitor.open(`/family/${mia}`));
    const other = person === ada ? 'Ben Lovelace' : 'Ada Lovelace';
    expect(page).toMatch(new RegExp(`Guardians (you and ${other}|${other} and you)`));
  }
  await ok(ben.post(`/v0/groups/${group}/leave`, { person: mia }));
});

describe('a replaced guardian', () => {
  test.each(acts)('no longer %s, from that moment', async (_, act) => {
    await ok(ada.put(`/v0/people/${mia}/guardian`, { guardian: dora.address }));
    expect(await codeOf(act(ada))).toBe('404 not_found');
    await ok(act(dora));
  });

  test('is asked no more and cannot settle pending items, which the new one can', async () => {
    const [decision, plan] = [await newDecision(), await newPlan()];
    await ok(ada.post(`${decision}/answers`, answers));
    await ok(cleo.post(`${decision}/approve`, approved));
    await ok(ada.post(`${plan}/stances`, stances('doesnt_work', 'works')));
    await ok(cleo.post(`${plan}/choose`, { option: 1 }));
    await ok(ada.put(`/v0/people/${mia}/guardian`, { guardian: dora.address }));
    for (const refused of [
      ada.post(`${decision}/approve`, approved),
      ada.post(`${plan}/choose`, { option: 2 }),
    ])
      expect(await codeOf(refused)).toBe('403 no_permission');
    await follows(async () =>
      expect(await awaited(decision, ben, dora)).toEqual([idsOf(ben, dora), idsOf(ben, dora)]),
    );
    expect(await codeOf(ada.get(decision))).toBe('404 not_found');
    expect((await ok(dora.post(`${decision}/approve`, approved))).status).toBe('agreed');
    expect(await ok(ben.post(`${plan}/choose`, { option: 1 }))).toMatchObject({ settled_option: 1 });
  });
});

/** Moves the birthday of the child, as the years do. */
async function grow(years: number): Promise<void> {
  const id = parseId('per', mia)!;
  const sealed = createSealer(home.sealKey, systemRandom).seal(
    Buffer.from(birth(years)),
    `person.birth:${id}`,
  );
  const client = new pg.Client({ connectionString: home.database.url });
  await client.connect();
  await client.query('update identity.people set birth = $1 where id = $2', [sealed, id]);
  await client.end();
  // No process remembers the age of before.
  await home.restart({});
}

test('both guardians stay while the child grows, until the child is of age', async () => {
  await grow(14);
  expect(await ok(ben.get(`/v0/people/${mia}`))).toMatchObject({ age_band: 'teen13' });
  const decision = await newDecision();
  expect(await awaited(decision, ada, ben)).toEqual([idsOf(ada, ben), idsOf(ada, ben)]);

  await grow(17);
  expect(await ok(ben.get(`/v0/people/${mia}`))).toMatchObject({ age_band: 'teen16' });
  const email = 'mia@example.com';
  const page = `/family/${mia}/sign-in`;
  const asked = await ben.visitor.send(await ben.visitor.open(page), page, { email });
  await ben.visitor.send(asked, `${page}/code`, { code: codeFor(home.lines, email) });
  const teen = await signIn('Mia');
  expect(teen.id).toBe(mia);
  // Appointments and the Commons are for adults: a guardian says no word about them either.
  const slot = new Date(performance.timeOrigin + 86_400_000).toISOString();
  const offer = { title: 'A walk', to: ['anyone'], time_zone: 'UTC', slots: [{ starts_at: slot }] };
  const booking = { offer: (await ok(cleo.post('/v0/meetings/offers', offer))).id, slot };
  expect(await codeOf(teen.post('/v0/meetings', booking))).toBe('404 not_found');
  expect(await codeOf(teen.post('/v0/meetings/offers', offer))).toBe('403 minors_not_allowed');
  expect(await codeOf(teen.get('/v0/commons'))).toBe('403 minors_not_allowed');
  expect(await codeOf(teen.post(`${decision}/answers`, answers))).toBe('403 guardian_needed');
  expect((await ok(ada.post(`${decision}/answers`, answers))).status).toBe('proposed');
  const plan = await newPlan();
  await ok(ben.post(`${plan}/stances`, stances('doesnt_work', 'works')));

  await grow(19);
  for (const guardian of [ada, ben]) {
    expect(await codeOf(guardian.post(`${decision}/approve`, approved))).toMatch(/^40[34] /);
    expect(await codeOf(guardian.post(`${plan}/choose`, { option: 1 }))).toMatch(/^40[34] /);
    expect(await codeOf(guardian.patch(`/v0/people/${mia}`, { ai_share: true }))).toMatch(/^40[34] /);
  }
  const later = await newDecision();
  expect(await awaited(later, teen)).toEqual([idsOf(teen)]);
  expect(await codeOf(ada.get(later))).toBe('404 not_found');
  expect((await ok(teen.post(`${later}/answers`, answers))).status).toBe('proposed');
});
