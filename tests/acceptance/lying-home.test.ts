import type { DescMessage } from '@bufbuild/protobuf';
import { lied, liesAbout } from '@hearth/home-acts/lies';
import { HomeAskSchema } from '@hearth/proto/approvals/v1/home_asks';
import { AgreementSchema } from '@hearth/proto/decisions/v1/agreements';
import { DecisionSchema } from '@hearth/proto/decisions/v1/decisions';
import { MeetingSchema } from '@hearth/proto/decisions/v1/meetings';
import { PlanSchema } from '@hearth/proto/decisions/v1/plans';
import { GroupSchema } from '@hearth/proto/groups/v1/groups';
import { GroupPostSchema } from '@hearth/proto/messages/v1/group_posts';
import { digest } from '@hearth/signing';
import { eventually } from '@hearth/testkit/eventually';
import { type ApiClient, apiClient, sharedHome, type TestAi } from '@hearth/testkit/home';
import { webVisitor, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newApp } from '../support/acting.ts';
import { expectStatus, newAi, urls } from '../support/home.ts';
import { type LyingHome, startLyingHome } from '../support/lying-home.ts';

// A home that lies about every member of every state that can name people of another home; none of the lies is shown.

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
type Json = Record<string, any>;

let liar: LyingHome;
let ben: ApiClient & { address: string; full: string };
let wren: TestAi & { full: string };
let eve: string;
let robin: string;
let visit: (path: string) => Promise<string>;
const walked = new Set<string>();
const id = (kind: string) => `r:${liar.name}:${kind}_${'0'.repeat(31)}1`;
/** A time in whole seconds, as callers pass times. */
const at = (hours: number) => `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}.000Z`;
const past = at(-1);
const path = (kind: string, reference: string) => `/v0/${kind}/${encodeURIComponent(reference)}`;
const byEve = () => ({
  from: eve,
  sender: { id: 'per_eve', kind: 'person', name: 'Eve', name_verified: true, status: 'person' },
});
const byRobin = () => ({
  from: robin,
  sender: { id: 'ai_robin', kind: 'ai', name: 'Robin', name_verified: false, status: 'unclaimed' },
});

beforeAll(async () => {
  liar = await startLyingHome();
  const { name, operatorKey } = sharedHome();
  const ada = await (await newApp({ urls: urls(), operatorKey })).newPerson();
  const group = expectStatus(await ada.post('/v0/groups', { name: 'Guests' }), 201).body;
  const invites = `/v0/groups/${group.id}/invites`;
  const { code } = expectStatus(await ada.post(invites, { for_age: 'adult' }), 201).body;
  const guest = { name: 'Ben', birth_year_month: '1990-01' };
  const joined = await apiClient(urls()).post(`/v0/invites/${code}/accept`, { guest });
  const { member, session_token: session } = expectStatus(joined, 200).body;
  const { address } = member.person;
  ben = { ...apiClient(urls(), session), address, full: `${address.slice(1)}@${name}` };
  const ai = await newAi({ name: 'Wren' });
  wren = { ...ai, full: `${ai.address.slice(1)}@${name}` };
  [eve, robin] = [`eve@${liar.name}`, `eve.ai-robin@${liar.name}`];
  const visitor = webVisitor(urls()[0]!);
  visitor.plant('hearth_session', session);
  visit = async (page) => wordsOf(await visitor.open(page));
}, 60_000);
afterAll(() => liar.stop());

const read = async (who: ApiClient, of: string): Promise<Json> => {
  const { words_disputed: ofAgreement, ...body } = expectStatus(await who.get(of), 200).body;
  return { ...body, disputed: ofAgreement ?? body.disputed };
};

interface Thing {
  kind: string;
  desc: DescMessage;
  object: Json;
  more: object;
  ours: string;
  read(): Promise<Json>;
  /** Whether a member is about local people; otherwise it is that home's statement about its own people. */
  isAboutThem?(path: string): boolean;
}

/** States the truth and then each lie; expects that no lie is shown, whether or not the state is accepted. */
async function walk(thing: Thing): Promise<string[]> {
  const { kind, desc, object, more, ours, read: readNow, isAboutThem = () => true } = thing;
  expect(await liar.state(kind, object, more)).toBe('ok');
  const { disputed, ...truth } = await readNow();
  expect(disputed).not.toBe(true);
  const lies = liesAbout([ours], desc, object).filter((lie) => isAboutThem(lie.path));
  for (const { member, object: lie, path: place } of lies) {
    walked.add(member);
    await liar.state(kind, lie, more);
    const { disputed: _, ...seen } = await readNow();
    expect([place, seen]).toEqual([place, truth]);
  }
  expect(await liar.state(kind, object, more)).toBe('ok');
  return lies.map(({ path: place }) => place);
}

const group = () => ({
  ...{ id: id('grp'), name: 'Sunday lunch', address: `&lunch@${liar.name}`, archived: false },
  settings: {},
  members: [eve, ben.full].map((address) => ({
    person: {
      id: address,
      address,
      name: address === eve ? 'Eve' : 'Ben',
      kind: 'person',
      age_band: 'adult',
    },
    ...{ role: address === eve ? 'organizer' : 'member', joined_at: past },
  })),
});

test('a group: the names and roles of its members', async () => {
  const invite = {
    ...{ id: id('inv'), invited_by: eve, name: 'Eve', status: 'waiting', needs_review: false },
    group: { id: id('grp'), name: 'Sunday lunch', address: `&lunch@${liar.name}` },
    ...{ created_at: past, expires_at: at(24) },
  };
  const more = { ...byEve(), to: [ben.full] };
  expect(await liar.state('invite', invite, more)).toBe('ok');
  liar.answers(() => ({ status: 200, answer: { status: 'joined', waiting_for: [], next: '' } }));
  expectStatus(await ben.post(`${path('invites', invite.id)}/accept`), 200);
  const members = `${path('groups', id('grp'))}/members`;
  const lies = await walk({
    ...{ kind: 'group', desc: GroupSchema, object: group(), more: { to: [ben.full] }, ours: ben.full },
    read: async () => ({ ...(await read(ben, members)), group: await read(ben, path('groups', id('grp'))) }),
  });
  expect(lies).toContain('members[1].role');
});

test('a post: its text, author and existence', async () => {
  const posts = `${path('groups', id('grp'))}/messages`;
  const post = {
    ...{ id: id('msg'), group: id('grp'), from: ben.full, from_name: 'Ben', by_ai: false },
    ...{ text: 'I bring bread', at: past, via: 'web' },
  };
  const more = { to: [ben.full] };
  const state = (object: Json) => liar.state('post', { ...object, final: true }, more);
  expect(await state({ ...post, id: id('msg').replace('_0', '_f') })).toBe('schema');
  liar.answers(() => ({ status: 201, answer: post }));
  expectStatus(await ben.post(posts, { text: post.text }), 201);
  for (const { member, object, path: place } of liesAbout([ben.full], GroupPostSchema, post)) {
    walked.add(member);
    // Neither is theirs to state: the post is shown without it.
    if (place === 'from_name' || place === 'pending') continue;
    await state(object);
    expect([place, (await read(ben, posts))['messages']]).toEqual([place, []]);
  }
  expect(await state({ ...post, from_name: 'Benedict' })).toBe('ok');
  expect(await state({ ...post, id: id('msg').replace('_0', '_e') })).toBe('schema');
  expect(await read(ben, posts)).toMatchObject({
    messages: [{ id: post.id, from: ben.address, from_name: 'Ben', text: post.text }],
  });
});

test('a decision: answers, preferences, what people bring, approvals, and its record', async () => {
  const reference = `r:${liar.name}:1`;
  const of = path('decisions', reference);
  const more = { ...byEve(), to: [ben.full] };
  const open = {
    ...{ id: reference, title: 'Lunch', status: 'open', needs: 'answered', revision: 1 },
    group: { id: id('grp'), name: 'Sunday lunch', address: `&lunch@${liar.name}` },
    asked_by: { name: 'Eve', address: eve },
    questions: [
      { id: 1, kind: 'choice', prompt: 'Which dish?', options: ['Soup', 'Pizza'] },
      { id: 2, kind: 'bring', prompt: 'What do you bring?', options: [] },
    ],
    ...{ waiting_on: [ben.full], people_asked: 2, people_answered: 0, answers: [] },
    ...{ at: past, deadline: at(24) },
  };
  expect(await liar.state('decision', open, more)).toBe('ok');
  /** States an act's effect before the act is answered. */
  const becomes = (object: Json) =>
    liar.answers(async () => {
      await liar.state('decision', object, more);
      return { status: 200, answer: object };
    });
  becomes({ ...open, revision: 2, people_answered: 1 });
  const given = [
    { question_id: 1, answer: 'Soup', firm: true, note: 'Gladly' },
    { question_id: 2, answer: 'Bread' },
  ];
  expectStatus(await ben.post(`${of}/answers`, { answers: given }), 200);
  const person = { person: ben.full, name: 'Ben' };
  const said = { ...person, by_ai: false, assumed: false, at: past };
  const proposed = {
    ...{ ...open, status: 'proposed', revision: 3, people_answered: 2 },
    answers: [
      { ...said, ...given[0] },
      { ...said, ...given[1], firm: false },
      { ...said, person: eve, name: 'Eve', question_id: 1, answer: 'Pizza', firm: false },
    ],
    proposal: {
      ...{ version: 1, by: '', at: past, summary: 'Soup' },
      answers: [
        { question_id: 1, kind: 'choice', answer: 'Soup', people: [ben.full], assumed: [] },
        { question_id: 1, kind: 'choice', answer: 'Pizza', people: [eve], assumed: [] },
      ],
      bring: [{ ...person, what: 'Bread', assumed: false, duplicate: false }],
      approvals: [{ ...person, decision: 'waiting' }],
    },
    clash: {
      ...{ question: 'Which dish?', question_id: 1, until: at(24), waiting_for: [eve] },
      people: [ben.full, eve],
      sides: [
        { answer: 'Soup', people: [ben.full], by_ai: false },
        { answer: 'Pizza', people: [eve], by_ai: false },
      ],
    },
  };
  expect(await liar.state('decision', proposed, more)).toBe('ok');
  const approvals = [{ ...person, decision: 'approved', note: 'Fine', by: 'person', at: past }];
  const approved = { ...proposed, revision: 4, proposal: { ...proposed.proposal, approvals } };
  becomes(approved);
  const yes = { decision: 'approved', version: 1, note: 'Fine' };
  expectStatus(await ben.post(`${of}/approve`, yes), 200);
  const thing = { kind: 'decision', desc: DecisionSchema, more, ours: ben.full, read: () => read(ben, of) };
  await walk({ ...thing, object: approved });
  const page = `/d/${encodeURIComponent(reference)}`;
  expect(await visit(page)).not.toContain('The other home shows a different answer');
  const truth = await thing.read();
  const [, , evesAnswer] = approved.answers;
  for (const left of [
    { answers: [evesAnswer] },
    { proposal: { ...approved.proposal, approvals: [{ ...person, decision: 'waiting' }] } },
  ]) {
    await liar.state('decision', { ...approved, ...left }, more);
    const seen = await thing.read();
    expect(seen).toMatchObject({ disputed: true, people_answered: 2 });
    const brief = ({ answers, proposal }: Json) => [
      answers.map(({ answer, firm, note, person: who }: Json) => [who, answer, firm, note]).sort(),
      proposal.approvals.map(({ by, decision, note }: Json) => [by, decision, note]),
    ];
    expect(brief(seen)).toEqual(brief(truth));
    expect(await visit(page)).toContain('The other home shows a different answer');
  }
  const record = (answer: string) =>
    liar.record({
      ...{ type: 'decision.outcome', id: 'rec_1', status: 'agreed', settled_at: past },
      decision: { id: '1', title: 'Lunch', questions: open.questions, needs: 'answered' },
      outcome: {
        ...{ version: 1, summary: answer, bring: [] },
        answers: [{ question_id: 1, answer, people: [{ to: ben.full, name: 'Ben', assumed: false }] }],
      },
      approvals: [{ to: ben.full, name: 'Ben', decision: 'approved', by: 'person', at: past }],
    });
  const agreed = { ...approved, status: 'agreed', settled_at: past, revision: 5 };
  await liar.state('decision', { ...agreed, record: record('Pizza') }, more);
  expect((await thing.read())['record']).toBeUndefined();
  await liar.state('decision', { ...agreed, record: record('Soup') }, more);
  expect(await thing.read()).toMatchObject({ status: 'agreed', record: { outcome: { summary: 'Soup' } } });
});

test('a plan: stances', async () => {
  const reference = id('pln');
  const of = path('plans', reference);
  const more = { ...byEve(), to: [ben.full] };
  const slot = (hours: number) => ({ starts_at: at(hours), ends_at: at(hours + 1) });
  const options = [
    { id: 1, ...slot(48) },
    { id: 2, ...slot(72) },
  ].map((entry) => ({
    ...{ ...entry, stances: [] as Json[] },
  }));
  const open = {
    ...{ id: reference, title: 'Rehearsal', status: 'open', group: id('grp'), group_name: 'Sunday lunch' },
    ...{ by: eve, created_at: past, deadline: at(24), options, waiting_on: [ben.full], revision: 1 },
    people: group().members.map(({ person }) => person),
  };
  expect(await liar.state('plan', open, more)).toBe('ok');
  const person = { person: ben.full, name: 'Ben', at: past };
  const taken = {
    ...{ ...open, revision: 2 },
    options: open.options.map((option, nth) => ({
      ...option,
      stances: [{ ...person, stance: nth === 0 ? 'works' : 'doesnt_work', note: 'Gladly' }],
    })),
  };
  liar.answers(async () => {
    await liar.state('plan', taken, more);
    return { status: 200, answer: taken };
  });
  const stances = [
    { option: 1, stance: 'works', note: 'Gladly' },
    { option: 2, stance: 'doesnt_work', note: 'Gladly' },
  ];
  expectStatus(await ben.post(`${of}/stances`, { stances }), 200);
  const thing = { kind: 'plan', desc: PlanSchema, more, ours: ben.full, read: () => read(ben, of) };
  await walk({ ...thing, object: taken });
  await liar.state('plan', { ...taken, options: [open.options[0], taken.options[1]] }, more);
  expect((await thing.read())['disputed']).toBe(true);
  expect(await visit(`/p/${encodeURIComponent(reference)}`)).toContain(
    'The other home shows a different answer',
  );
});

test('an ask: decision, answer, note and respondents', async () => {
  const reference = id('apr');
  const of = path('approvals', reference);
  const more = { ...byRobin(), to: [ben.full] };
  const asked = { title: 'Which train?', choices: ['9:30', '11:00'], free_text: false };
  const open = {
    ...{ ...asked, id: reference, status: 'waiting', kind: 'ask', request_kind: 'personal', needs: 'all' },
    ...{ from: robin, at: past, expires_at: at(24), reminders: 0 },
    digest: digest({ ...asked, to: [ben.full, '@eve'] }),
    people: [
      { to: ben.full, person: 'Ben', decision: 'waiting' },
      { to: eve, person: 'Eve', decision: 'waiting' },
    ] as Json[],
  };
  expect(await liar.state('ask', open, more)).toBe('ok');
  const own = { decision: 'approved', answer: '11:00', note: 'I sleep long' };
  const [first, second] = open.people;
  const answered = { ...open, people: [{ ...first, ...own, by: 'person', at: past }, second!] };
  liar.answers(async () => {
    await liar.state('ask', answered, more);
    return { status: 200, answer: { id: reference, status: 'waiting' } };
  });
  expectStatus(await ben.post(`${of}/reply`, own), 200);
  await eventually(
    () => read(ben, of),
    ({ people }) => people[0].decision === 'approved',
    { everyMs: 50 },
  );
  const thing = { kind: 'ask', desc: HomeAskSchema, more, ours: ben.full, read: () => read(ben, of) };
  await walk({ ...thing, object: answered });
  await liar.state('ask', { ...answered, people: [{ ...answered.people[0], answer: '9:30' }, second] }, more);
  expect((await thing.read())['disputed']).toBe(true);
  expect(await visit(`/a/${encodeURIComponent(reference)}`)).toContain(
    'The other home shows a different answer',
  );
});

test('an agreement: signatures, reviews, and that an AI declined', async () => {
  const reference = id('agr');
  const of = path('agreements', reference);
  const more = { ...byRobin(), to: [wren.full] };
  const terms = 'Wren translates them.';
  const terms_digest = digest(Buffer.from(terms));
  const side = { name_verified: false, owner_status: 'unclaimed', own_key: false, gone: false };
  const open = {
    ...{ id: reference, title: 'Translate the minutes', terms, terms_digest, status: 'open', by: robin },
    ...{ created_at: past, sign_by: at(24), needs_owners: false, disputed: false, side_gone: false },
    signing: {
      ...{ purpose: 'sign_agreement', home: liar.name, agreement: reference.split(':').at(-1) },
      ...{ title: 'Translate the minutes', terms_digest, sides: ['@eve.ai-robin', wren.full] },
      ...{ needs_owners: false, issued_at: past },
    },
    sides: [
      { ...side, address: robin, name: 'Robin', signed_at: past, settled: null },
      { ...side, address: wren.full, name: 'Wren', signed_at: null, settled: null },
    ] as Json[],
    revision: 1,
  };
  expect(await liar.state('agreement', open, more)).toBe('ok');
  const becomes = (object: Json) =>
    liar.answers(async () => {
      await liar.state('agreement', object, more);
      return { status: 200, answer: object };
    });
  const [theirs, ours] = open.sides;
  const ready = {
    ...{ ...open, status: 'ready', ready_at: past, revision: 2 },
    sides: [theirs!, { ...ours, signed_at: past }],
  };
  becomes(ready);
  expectStatus(await wren.post(`${of}/sign`, { terms_digest }), 200);
  const kept = {
    ...{ ...ready, revision: 3 },
    sides: [theirs!, { ...ready.sides[1], settled: 'kept', note: 'With joy' }],
  };
  becomes(kept);
  expectStatus(await wren.post(`${of}/settle`, { outcome: 'kept', note: 'With joy' }), 200);
  const thing = { kind: 'agreement', desc: AgreementSchema, more, ours: wren.full };
  await walk({ ...thing, object: kept, read: () => read(wren, of) });
  const other = { ...open, id: reference.replace('_0', '_f') };
  const signing = { ...open.signing, agreement: other.id.split(':').at(-1) };
  expect(await liar.state('agreement', { ...other, signing }, more)).toBe('ok');
  const no = { ...other, signing, status: 'declined', why: 'declined', settled_at: past, revision: 2 };
  await liar.state('agreement', { ...no, reason: 'You are a fraud' }, more);
  const seen = await read(wren, path('agreements', other.id));
  expect([seen['status'], seen['reason'], seen['disputed']]).toEqual(['declined', undefined, true]);
});

test('a meeting: its time, its note, and who cancelled it', async () => {
  const [offer, reference] = [id('ofr'), id('mtg')];
  const of = path('meetings', reference);
  const more = { ...byRobin(), to: [wren.full] };
  const slots = [48, 72].map((hours) => ({ starts_at: at(hours), ends_at: at(hours + 1), free: true }));
  const common = { title: 'The roof', time_zone: 'UTC', name_verified: false };
  const offered = {
    ...{ ...common, id: offer, by: robin, by_name: 'Robin', slots, status: 'open' },
    ...{ expires_at: at(72), times: 1, booked: 0, created_at: past },
  };
  expect(await liar.state('offer', offered, more)).toBe('ok');
  const meeting = {
    ...{ ...common, id: reference, uid: `roof@${liar.name}`, sequence: 0, offer, with: [robin] },
    ...{ with_name: 'Robin', offered: false, status: 'booked', note: 'Gladly', booked_at: past, revision: 1 },
    ...{ starts_at: slots[0]!.starts_at, ends_at: slots[0]!.ends_at },
  };
  liar.answers(async () => {
    await liar.state('meeting', meeting, more);
    return { status: 201, answer: meeting };
  });
  const booking = { offer, slot: slots[0]!.starts_at, note: 'Gladly' };
  expectStatus(await wren.post('/v0/meetings', booking), 201);
  const thing = { kind: 'meeting', desc: MeetingSchema, more, ours: wren.full, read: () => read(wren, of) };
  // The reason is theirs to give if they cancelled the meeting.
  await walk({ ...thing, object: meeting, isAboutThem: (place) => place !== 'reason' });
  const move = { starts_at: slots[1]!.starts_at, ends_at: slots[1]!.ends_at, yours: true, reason: 'Ill' };
  const becomes = (object: Json) =>
    liar.answers(async () => {
      await liar.state('meeting', object, more);
      return { status: 200, answer: object };
    });
  const theirs = { ...meeting, move: { ...move, yours: false }, revision: 2 };
  await walk({ ...thing, object: theirs, isAboutThem: (place) => place === 'move.yours' });
  expect(await liar.state('meeting', { ...meeting, revision: 3 }, more)).toBe('ok');
  const moving = { ...meeting, move, revision: 4 };
  becomes(moving);
  expectStatus(await wren.post(`${of}/move`, { starts_at: move.starts_at, reason: 'Ill' }), 200);
  const isOfMove = (place: string) => place !== 'reason' && place !== 'move.yours';
  await walk({ ...thing, object: moving, isAboutThem: isOfMove });
  await liar.state('meeting', { ...moving, status: 'cancelled', cancelled_by: wren.full }, more);
  expect(await thing.read()).toMatchObject({ status: 'booked', disputed: true });
  const off = { ...meeting, status: 'cancelled', cancelled_by: wren.full, reason: 'Ill', revision: 5 };
  becomes(off);
  expectStatus(await wren.delete(`${of}?reason=Ill`), 200);
  await walk({ ...thing, object: off });
});

test('every field that can carry a claim about them was tested with a lie', () => {
  // Anyone who answered can be in a clash: the sides say with what.
  expect(lied.filter((member) => !walked.has(member))).toEqual(['hearth.decisions.v1.Clash people']);
});
