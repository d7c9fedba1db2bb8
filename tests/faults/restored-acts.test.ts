import { eventually } from '@hearth/testkit/eventually';
import { type ApiClient, signUpAi, type TestAi } from '@hearth/testkit/home';
import { whole } from '@hearth/testkit/tcp-proxy';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newApp, type Party } from '../support/acting.ts';
import { expectStatus } from '../support/home.ts';
import { type EndHome, startEnds } from './support/between-homes.ts';

// A person of one home answers another home's requests. Then one of the two homes is restored from an earlier backup.
let ends: [EndHome, EndHome];
let here: EndHome;
let there: EndHome;
let robin: TestAi;
let ada: Party;
let ben: Party;
let group: string;
type Body = Awaited<ReturnType<ApiClient['get']>>['body'];

const ref = (id: string) => `r:${here.home.name}:${id}`;
const elsewhere = (kind: string, id: string) => `/v0/${kind}/${encodeURIComponent(ref(id))}`;
const bensAddress = () => `@${ben.address.slice(1)}@${there.home.name}`;
const followed = (of: ApiClient, path: string, holds: (body: Body) => boolean) =>
  eventually(
    async () => (await of.get(path)).body,
    (body) => holds(body),
    { everyMs: 200, withinMs: 100_000 },
  );

beforeAll(async () => {
  ends = await startEnds(false);
  [here, there] = ends;
  robin = await signUpAi(here.home.urls, { name: 'Robin' });
  ada = await (await newApp(here.home)).newPerson({ name: 'Ada Byron', age_band: 'adult' });
  ben = await (await newApp(there.home)).newPerson({ name: 'Ben Okri', age_band: 'adult' });
  group = expectStatus(await ada.post('/v0/groups', { name: 'Sunday lunch' }), 201).body.id;
  const invited = { to: bensAddress(), for_age: 'adult' };
  const { id } = expectStatus(await ada.post(`/v0/groups/${group}/invites`, invited), 201).body;
  await followed(ben, '/v0/remote-asks', ({ asks }) => asks.length > 0);
  expectStatus(await ben.post(`${elsewhere('invites', id)}/accept`), 200);
  await followed(ben, elsewhere('groups', group), ({ name }) => name === 'Sunday lunch');
}, 250_000);
afterAll(async () => {
  await Promise.all((ends ?? []).map((end) => end.stop()));
});

/** Backdates the logs by two hours: a log restarts once an hour at most. */
const asIfOlder = `
  with logs as (update federation.logs set epoch = epoch - 7200, in_epoch = in_epoch - 7200 where in_epoch > 0)
  update federation.sent_items set epoch = epoch - 7200`;

interface Asked {
  decision: string;
  ask: string;
}

async function askBen(): Promise<Asked> {
  const questions = [
    { kind: 'choice', prompt: 'Which day?', options: ['Saturday', 'Sunday'] },
    { kind: 'text', prompt: 'Anything else?' },
  ];
  const decided = { title: 'Lunch', group, questions };
  const decision = expectStatus(await ada.post('/v0/decisions', decided), 201).body.id;
  const asked = { title: 'May I book it?', to: [bensAddress()] };
  const ask = expectStatus(await robin.post('/v0/approvals', asked), 201).body.id;
  await followed(ben, elsewhere('decisions', decision), ({ status }) => status === 'open');
  await followed(ben, elsewhere('approvals', ask), ({ status }) => status === 'waiting');
  return { decision, ask };
}

/** Ben answers the decision and the ask, and posts to the group; the other home knows it. */
async function answer({ decision, ask }: Asked, text: string): Promise<void> {
  const answers = [
    { question_id: 1, answer: 'Sunday' },
    { question_id: 2, answer: 'No' },
  ];
  const [decides, asks] = [elsewhere('decisions', decision), elsewhere('approvals', ask)];
  expectStatus(await ben.post(`${decides}/answers`, { answers }), 200);
  expectStatus(await ben.post(`${asks}/reply`, { decision: 'approved', note: 'Fine' }), 200);
  await followed(ben, decides, ({ people_answered: count }) => count === 1);
  await followed(ben, asks, ({ status }) => status === 'approved');
  expectStatus(await ben.post(`${elsewhere('groups', group)}/messages`, { text }), 201);
}

/** Whether both homes show each of his acts, as often as he did it. */
async function isWhole({ decision, ask }: Asked, text: string): Promise<void> {
  await followed(ada, `/v0/decisions/${decision}`, (body) => body.people_answered === 1);
  await followed(robin, `/v0/approvals/${ask}`, ({ status }) => status === 'approved');
  const his = { person: ben.address, answer: 'Sunday' };
  const { answers } = await followed(
    ben,
    elsewhere('decisions', decision),
    ({ answers = [], people_answered: count }) => answers.length > 0 && count === 1,
  );
  expect(answers).toContainEqual(expect.objectContaining(his));
  const shown = await followed(
    ben,
    elsewhere('approvals', ask),
    ({ signed_answer: signed }) => signed !== undefined,
  );
  expect(shown).toMatchObject({ status: 'approved', people: [{ decision: 'approved', note: 'Fine' }] });
  expect(shown.disputed).toBeUndefined();
  for (const [who, path] of [
    [ada, `/v0/groups/${group}`],
    [ben, elsewhere('groups', group)],
  ] as const) {
    const { messages } = await followed(who, `${path}/messages`, ({ messages }) =>
      messages.some((post: Body) => post.text === text),
    );
    expect(messages.filter((post: Body) => post.text === text)).toHaveLength(1);
  }
}

const ages = async () => {
  for (const { sql } of ends) await sql(asIfOlder);
};

test('a restored home recovers the answers of its people', async () => {
  const asked = await askBen();
  await ages();
  await there.keep();
  await answer(asked, 'At one');
  await there.restore();
  await isWhole(asked, 'At one');
}, 400_000);

test('a restored home recovers questions to its people, with their answers', async () => {
  await ages();
  await there.keep();
  const asked = await askBen();
  await answer(asked, 'At two');
  await there.restore();
  await isWhole(asked, 'At two');
}, 400_000);

test('a lost answer is requested again once the other home is back', async () => {
  const asked = await askBen();
  await ages();
  await there.keep();
  await answer(asked, 'At three');
  here.line.set({ cut: 'both' });
  await there.restore();
  // Items that arrive in the meantime wait for it.
  expectStatus(await ada.post(`/v0/groups/${group}/messages`, { text: 'Who comes?' }), 201);
  await eventually(
    async () => (await there.sql<{ at: Date | null }>('select lost_at as at from federation.logs'))[0]!.at,
    (at) => at !== null,
    { withinMs: 100_000 },
  );
  here.line.set(whole);
  await isWhole(asked, 'At three');
}, 400_000);

test('a restored home recovers the answers to its own questions', async () => {
  const asked = await askBen();
  await ages();
  await here.keep();
  await answer(asked, 'At noon');
  await here.restore();
  await isWhole(asked, 'At noon');
}, 400_000);
