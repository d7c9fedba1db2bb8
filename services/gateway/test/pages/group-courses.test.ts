import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField, forbidden, notFound, unavailable } from '@hearth/errors';
import {
  type DecideRequest,
  DecisionStatus,
  DecisionsService,
  QuestionKind,
} from '@hearth/proto/decisions/v1/decisions';
import { type PlanSchema, PlanStatus, PlansService } from '@hearth/proto/decisions/v1/plans';
import { type GroupSchema, GroupsService, Plans, Role } from '@hearth/proto/groups/v1/groups';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, clock, startHomeWithPeople } from './home-with-people.ts';
import { type Noted, noting } from './notes.ts';
import { expectPage, expectSignIn, expectWords, tickedOf, wordsOf } from './visitor.ts';

type Init<M> = M extends { $typeName: string } ? never : M;
type Group = Init<MessageInitShape<typeof GroupSchema>>;

const path = '/g/rowing';
const id = `grp_${'1'.repeat(32)}`;
const [ben, kit] = [`per_${'2'.repeat(32)}`, `shp_${'3'.repeat(32)}`];
const rowing: Group = {
  ...{ id, address: '&rowing', name: 'Rowing <club>', yourRole: Role.MEMBER, timeZone: 'Europe/Zurich' },
  settings: { plans: Plans.ALLOW, groupAi: true },
};

let group: Group;
let proposed: Init<MessageInitShape<typeof PlanSchema>>;
let failure: Error | undefined;
let acts: Noted[];
let away: Error | undefined;

const noted = noting((call) => {
  if (failure !== undefined) throw failure;
  acts.push(call);
});
const at = (ago: number) => timestampFromMs(clock.now() - ago);

const home = await startHomeWithPeople([
  fake(GroupsService, {
    getGroup: async (request, { caller }) => {
      if (caller.id !== adaId || ![id, '&rowing'].includes(request.id)) throw notFound();
      return group;
    },
    listMembers: async () => ({
      members: [
        { person: { id: 'per_1', address: '@ada', name: 'Ada Lovelace' }, joinedAt: at(1) },
        { person: { id: ben, address: '@ben', name: 'Ben <b>' }, joinedAt: at(1) },
        { person: { id: kit, address: kit, name: 'Kit L.', shielded: true }, joinedAt: at(1) },
      ],
    }),
  }),
  fake(GroupPostsService, { listGroupPosts: async () => ({}) }),
  fake(DecisionsService, {
    decide: noted('decide', { id: '17' }),
    listDecisions: async () => {
      if (away !== undefined) throw away;
      return {
        decisions: [
          { id: '1', title: 'Which <boat>?', status: DecisionStatus.AGREED, settledAt: at(3) },
          { id: '2', title: 'Open still', status: DecisionStatus.CLASH },
        ],
      };
    },
  }),
  fake(PlansService, {
    proposePlan: noted('propose', () => proposed),
    listPlans: async ({ status }) => ({
      plans: [
        { id: 'pln_1', title: 'A day out', status: PlanStatus.CANCELLED, settledAt: at(1) },
        { id: 'pln_2', title: 'A night out', status: PlanStatus.SETTLED, settledAt: at(2) },
        { id: 'pln_3', title: 'Asked for' },
      ].filter((plan) => status === undefined || plan.status === status),
    }),
  }),
]);
afterAll(() => home.stop());
beforeEach(() => {
  group = rowing;
  proposed = { id: 'pln_7', status: PlanStatus.OPEN };
  failure = undefined;
  away = undefined;
  acts = [];
});

const fill = async (on: string, fields: Record<string, string | string[]>) =>
  await home.ada.send(await home.ada.open(on), on, fields);

test.each(['/plans/new', '/decisions/new', '/settled'])(
  '%s is for members who are signed in',
  async (below) => {
    expectSignIn(await home.stranger().open(`${path}${below}`), `${path}${below}`);
    expect((await home.grace.open(`${path}${below}`)).status).toBe(404);
    expect((await home.ada.open(`/g/nowhere${below}`)).status).toBe(404);
  },
);

test("a group's page links to what its viewer can start", async () => {
  const offered = async () => (await home.ada.open(path)).text.match(/\/(plans|decisions)\/new/g);
  expect(await offered()).toEqual(['/plans/new', '/decisions/new']);
  group = { ...rowing, settings: { plans: Plans.NEVER, groupAi: true } };
  expect(await offered()).toEqual(['/decisions/new']);
  group = { ...rowing, settings: { plans: Plans.ASK, groupAi: false } };
  expect(await offered()).toEqual(['/plans/new']);
  group = { ...rowing, archived: true };
  expect(await offered()).toBeNull();
  expect((await home.ada.open(`${path}/plans/new`)).headers.location).toBe(path);
});

test('past decisions and plans are listed, latest first', async () => {
  const page = await home.ada.open(`${path}/settled`);
  expectWords(page, 'A day out plan cancelled A night out plan settled Which <boat>? decision agreed');
  for (const open of ['Open still', 'Asked for']) expect(wordsOf(page)).not.toContain(open);
  away = unavailable('decisions is away');
  expectPage(await home.ada.open(`${path}/settled`), 200, 'This can’t be shown right now.');
});

describe('times', () => {
  const on = `${path}/plans/new`;

  test("are by the reader's clocks in a group that has no zone", async () => {
    group = { ...rowing, timeZone: '' };
    home.ada.cookies.set('hearth_zone', 'Asia/Tokyo');
    await fill(on, { title: 'A day out', 'date-1': '2026-06-02' });
    home.ada.cookies.delete('hearth_zone');
    await fill(on, { title: 'A day out', 'date-1': '2026-06-02' });
    expect(acts).toMatchObject([{ request: { timeZone: 'Asia/Tokyo' } }, { request: { timeZone: 'UTC' } }]);
  });

  test('are proposed to everyone, in the zone of the group', async () => {
    const { headers } = await fill(on, {
      ...{ title: 'A day out', where: 'The lake', details: 'One\r\nTwo', hours: '72' },
      ...{ 'starts-1': '2026-06-01T10:00', 'ends-1': '2026-06-01T12:00', 'date-4': '2026-06-02' },
    });
    expect(headers.location).toBe('/p/pln_7');
    expect(acts).toMatchObject([
      {
        ...{ name: 'propose', person: adaId },
        request: {
          ...{ group: id, title: 'A day out', where: 'The lake', details: 'One\nTwo', deadlineHours: 72 },
          ...{ timeZone: 'Europe/Zurich', with: [], requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
          options: [{ startsAt: '2026-06-01T10:00', endsAt: '2026-06-01T12:00' }, { date: '2026-06-02' }],
        },
      },
    ]);
    expect(acts[0]?.request).not.toHaveProperty('hiddenFrom');
  });

  test('go only to some members, and are hidden from one', async () => {
    await fill(on, { title: 'Surprise', 'date-1': '2026-06-02', with: [ben], hidden_from: kit });
    expect(acts).toMatchObject([{ request: { with: [ben], hiddenFrom: kit } }]);
  });

  test("that need the organizers' approval lead back to the group", async () => {
    proposed = { id: 'pln_7', approval: 'apr_1' };
    const { headers } = await fill(on, { title: 'A day out', 'date-1': '2026-06-02' });
    expect(headers.location).toBe(`${path}?done=proposed`);
  });

  test.each([
    [{ title: '' }, undefined, 'Enter a title.'],
    [{ 'date-2': '', 'starts-3': '' }, undefined, 'Propose at least one time.'],
    [{}, badField('options[1].starts_at', 'must be in the future'), 'Choose a time in the future.'],
    [{}, badField('options[0]', 'is there twice'), 'This isn’t valid. Check it and try again.'],
    [
      {},
      badField('with[0]', 'must be a member of the group'),
      'Enter the address of someone you can reach here.',
    ],
    [{}, forbidden('this group takes no plans', { code: 'plans_off' }), 'This group doesn’t allow plans.'],
  ])('that are refused say why, and keep the typed values: %j', async (fields, fails, words) => {
    failure = fails;
    const filled = { title: 'Out <b>', 'date-2': '2026-06-02', 'starts-3': '2026-06-01T10:00', with: [ben] };
    const page = await fill(on, { ...filled, ...fields });
    expectPage(page, 400, words);
    expect(tickedOf(page, 'with')).toEqual([ben]);
    if (!('title' in fields)) expect(page.text).toContain('value="Out &#60;b&#62;"');
    if (words.includes('ahead')) expect(page.text).toContain('id="starts-3-error"');
    if (words.includes('twice')) expect(page.text).toContain('id="time-2-error"');
    expect(acts).toEqual([]);
  });

  test("need the form's CSRF token", async () => {
    const filled = { title: 'A day out', 'date-1': '2026-06-02' };
    expect((await home.ada.post(on, filled)).status).toBe(403);
    expect(acts).toEqual([]);
  });
});

describe('a decision', () => {
  const on = `${path}/decisions/new`;

  test('asks the filled-in questions, by kind', async () => {
    const { headers } = await fill(on, {
      ...{ title: 'Birthday', 'when-1': '2026-06-01T10:00', 'when-3': '2026-06-02T10:00' },
      ...{ choice: 'Which cake?', options: 'Nut\r\n\r\n Plum \r\n', bring: 'yes', words: 'A word for her?' },
    });
    expect(headers.location).toBe('/d/17');
    const { questions } = acts[0]!.request as DecideRequest;
    expect(questions).toMatchObject([
      { kind: QuestionKind.WHEN, options: ['2026-06-01T10:00', '2026-06-02T10:00'] },
      { kind: QuestionKind.CHOICE, prompt: 'Which cake?', options: ['Nut', 'Plum'] },
      { kind: QuestionKind.BRING },
      { kind: QuestionKind.TEXT, prompt: 'A word for her?' },
    ]);
  });

  test.each([
    [
      { choice: 'Which?', options: `Nut\r\n\r\n${'Plum '.repeat(19)}\r\nPear` },
      'Line 3 (“Plum Plum Plum Plum…”): Use 1 to 80 characters.',
    ],
    [{ choice: 'Which?', options: 'Nut\r\nPlum\r\n\r\nnut' }, 'Line 4 (“nut”): '],
  ])('that is refused names the line of a field with several: %j', async (fields, words) => {
    if (words.startsWith('Line 4')) failure = badField('questions[1].options[2]', 'the same is there before');
    const page = await fill(on, { title: 'When', 'day-1': '2026-06-01', 'day-2': '2026-06-02', ...fields });
    expectPage(page, 400, words);
    const error = /id="options-error".*?<\/p>/s.exec(page.text)?.[0] ?? '';
    expect(error.replace(/<[^>]*>/g, '')).toContain(words);
    expect(acts).toEqual([]);
  });

  test.each([
    [{ words: '' }, undefined, 'Ask at least two questions.', 'questions'],
    [
      {},
      badField('questions[0].options[1]', 'must be in the future'),
      'This isn’t valid. Check it and try again.',
      'day-2-error',
    ],
    [
      { choice: 'Which?' },
      badField('questions[1].options', 'must have 2 to 12 items', {
        range: { of: 'items', least: 2, most: 12 },
      }),
      'Add 2 to 12.',
      'options-error',
    ],
    [
      {},
      badField('questions[1].prompt', 'must be another'),
      'This isn’t valid. Check it and try again.',
      'words-error',
    ],
  ])('that is refused says why at its field: %j', async (fields, fails, words, field) => {
    failure = fails;
    const filled = { title: 'When', 'day-1': '2026-06-01', 'day-2': '2026-06-02', words: 'Say' };
    const page = await fill(on, { ...filled, ...fields });
    expectPage(page, 400, words);
    expect(page.text).toContain(`id="${field}"`);
    expect(page.text).toContain('value="2026-06-02"');
    expect(acts).toEqual([]);
  });
});
