import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField, badRequest, forbidden, notFound } from '@hearth/errors';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { PlansService } from '@hearth/proto/decisions/v1/plans';
import {
  type GroupSchema,
  GroupsService,
  JoinReview,
  Minors,
  Plans,
  Role,
  type UpdateGroupRequest,
} from '@hearth/proto/groups/v1/groups';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, clock, startHomeWithPeople } from './home-with-people.ts';
import { type Noted, noting } from './notes.ts';
import { csrfOf, expectPage, expectSignIn, expectWords, wordsOf } from './visitor.ts';

type Group = Exclude<MessageInitShape<typeof GroupSchema>, { $typeName: string }>;

const path = '/g/rowing';
const id = `grp_${'1'.repeat(32)}`;
const ben = `per_${'2'.repeat(32)}`;
const child = `shp_${'3'.repeat(32)}`;
const joinedAt = timestampFromMs(clock.now() - 60_000);

const rowing: Group = {
  ...{ id, address: '&rowing', name: 'Rowing <club>', yourRole: Role.ORGANIZER, timeZone: 'Europe/Zurich' },
  settings: {
    ...{ minors: Minors.TEENS, consentAge: 16, joinReview: JoinReview.MINORS },
    ...{ plans: Plans.ALLOW, groupAi: true },
  },
};
const person = (personId: string, address: string, name: string, more: object = {}) => ({
  person: { id: personId, address, name, ageBand: AgeBand.ADULT, ...more },
  ...{ role: Role.MEMBER, joinedAt },
});

let group: Group;
let leftOut: { person: { name: string } }[];
let failure: Error | undefined;
let acts: Noted[];

const noted = noting((call) => {
  if (failure !== undefined) throw failure;
  acts.push(call);
});

const home = await startHomeWithPeople([
  fake(GroupsService, {
    getGroup: async (request, { caller }) => {
      if (caller.id !== adaId || ![id, '&rowing'].includes(request.id)) throw notFound();
      return group;
    },
    listMembers: async () => ({
      members: [
        { ...person(`per_${'0'.repeat(32)}`, '@ada', 'Ada Lovelace'), role: Role.ORGANIZER },
        person(ben, '@ben', 'Ben <b>'),
        person('per_4', 'eve@far.example', 'Eve', { home: 'far.example' }),
        person(child, child, 'Kit L.', { ageBand: AgeBand.TEEN13, shielded: true }),
      ],
    }),
    setRole: noted('role', {}),
    removeMember: noted('remove', { removed: true }),
    updateGroup: noted('update', () => ({ group, noLongerFit: leftOut })),
    archiveGroup: noted('archive', () => group),
    endGroup: noted('end', () => group),
    restoreGroup: noted('restore', () => group),
  }),
  fake(GroupPostsService, { listGroupPosts: async () => ({}) }),
  fake(DecisionsService, { listDecisions: async () => ({}) }),
  fake(PlansService, { listPlans: async () => ({}) }),
]);
afterAll(() => home.stop());
beforeEach(() => {
  group = rowing;
  leftOut = [];
  failure = undefined;
  acts = [];
});

const fill = async (on: string, fields: Record<string, string>, from = on) =>
  await home.ada.send(await home.ada.open(from), on, fields);

test.each([
  ['/settings', 'get'],
  ['/archive', 'get'],
  ['/members', 'post'],
  ['/restore', 'post'],
] as const)('%s is for organizers who are signed in', async (below, way) => {
  const on = `${path}${below}`;
  if (way === 'get') {
    expectSignIn(await home.stranger().open(on), on);
    expect((await home.grace.open(on)).status).toBe(404);
    expect((await home.ada.open(`/g/nowhere${below}`)).status).toBe(404);
  } else expect((await home.ada.open(on)).status).toBe(405);
  expect((await home.ada.post(on, { do: 'remove', person: ben })).status).toBe(403);
  group = { ...rowing, yourRole: Role.MEMBER };
  const asMember = await home.ada.open(path);
  expect(asMember.text).not.toContain(on);
  const form = { csrf: csrfOf(asMember), do: 'remove', person: ben, for_good: 'yes' };
  expect((await home.ada.post(on, form)).status).toBe(403);
  expect(acts).toEqual([]);
});

describe('a member', () => {
  const on = `${path}/members`;

  test('can become an organizer if they are an adult of this home', async () => {
    const page = await home.ada.open(path);
    expectWords(page, 'Their account is at far.example.', 'Organizers must be adults.', 'Remove Ben <b>');
    expect(page.text.match(/value="organizer"/g)).toHaveLength(1);
    // People leave a group themselves; they cannot remove themselves.
    expect(page.text.match(/name="do" value="remove"/g)).toHaveLength(3);
  });

  test.each([
    [
      { do: 'organizer', person: ben },
      { name: 'role', request: { id, person: ben, role: Role.ORGANIZER } },
    ],
    [
      { do: 'member', person: ben },
      { name: 'role', request: { id, person: ben, role: Role.MEMBER } },
    ],
    [
      { do: 'remove', person: child, reason: 'Moved' },
      { name: 'remove', request: { id, person: child, reason: 'Moved' } },
    ],
    [
      { do: 'remove', person: ben, reason: '' },
      { name: 'remove', request: { id, person: ben } },
    ],
  ])('is changed: %j', async (fields, act) => {
    const { status, headers } = await fill(on, fields, path);
    const done = fields.do === 'remove' ? 'removed' : fields.do;
    expect([status, headers.location]).toEqual([303, `${path}?done=${done}`]);
    expect(acts).toMatchObject([{ ...act, person: adaId }]);
    if ('reason' in fields && fields.reason === '') expect(acts[0]?.request).not.toHaveProperty('reason');
  });

  test.each([
    [
      { do: 'member' },
      badRequest('a group keeps at least one organizer: make somebody else an organizer first', {
        code: 'last_organizer',
      }),
      'A group needs at least one organizer.',
    ],
    [{ do: 'remove' }, notFound(), 'This person is no longer in the group.'],
    [{ do: 'jump' }, undefined, 'Nothing was changed. Reload the page and try again.'],
    [{ do: 'remove', reason: 'x'.repeat(141) }, undefined, 'Use at most 140 characters'],
  ])('that cannot be changed stays the same, and the page says why: %j', async (fields, fails, words) => {
    failure = fails;
    expectPage(await fill(on, { person: ben, ...fields }, path), 400, words);
    expect(acts).toEqual([]);
  });
});

describe('the settings', () => {
  const on = `${path}/settings`;
  const asTheyAre = {
    ...{ name: 'Rowing <club>', minors: 'teens', consent_age: '16', join_review: 'minors', plans: 'allow' },
    ...{ group_ai: 'yes', time_zone: 'Europe/Zurich', last_day: '' },
  };

  test('are shown as they are', async () => {
    group = { ...rowing, endsAt: timestampFromMs(Date.UTC(2026, 6, 31, 22)) };
    const { text } = await home.ada.open(`${on}?done=saved`);
    for (const part of [
      'Settings saved.',
      'value="Rowing &#60;club&#62;"',
      'value="teens" checked',
      'value="2026-07-31"',
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/name="group_ai" value="yes" checked/);
  });

  test('send only changed values', async () => {
    const { headers } = await fill(on, { ...asTheyAre, plans: 'never', group_ai: '' });
    expect(headers.location).toBe(`${on}?done=saved`);
    expect(acts).toMatchObject([{ request: { id, settings: { plans: Plans.NEVER, groupAi: false } } }]);
    for (const field of ['name', 'timeZone', 'endsAt', 'settings.minors', 'settings.consentAge'])
      expect(acts[0]?.request).not.toHaveProperty(field);
    acts = [];
    await fill(on, asTheyAre);
    expect(acts[0]?.request).not.toHaveProperty('settings');
  });

  test("accept a last day, which ends at midnight in the group's zone", async () => {
    await fill(on, { ...asTheyAre, last_day: '2026-12-31' });
    const { endsAt } = acts[0]!.request as UpdateGroupRequest;
    expect(timestampDate(endsAt!).toISOString()).toBe('2026-12-31T23:00:00.000Z');
  });

  test('name members who no longer fit', async () => {
    leftOut = [{ person: { name: 'Kit <L.>' } }];
    const page = await fill(on, { ...asTheyAre, minors: 'no' });
    expectPage(page, 200, 'Some members don’t fit these settings');
    expect(wordsOf(page)).toContain('Kit <L.>');
  });

  test.each([
    [{ name: '' }, undefined, 'Enter a name for the group.'],
    [{ name: 'x'.repeat(81) }, undefined, 'Use 1 to 80 characters'],
    [{ time_zone: 'Mars/Olympus', last_day: '2026-12-31' }, undefined, 'Choose a city near you.'],
    [{ time_zone: '' }, undefined, 'Choose a city near you.'],
    [{ last_day: '31.12.' }, undefined, 'Enter the day as YYYY-MM-DD.'],
    [{ last_day: '9999-12-31' }, undefined, 'Choose a time in the future.'],
    [
      { last_day: '2020-01-01' },
      badField('ends_at', 'must be in the future'),
      'Choose a time in the future.',
    ],
    [{ consent_age: '13' }, badField('settings.consent_age', 'must be 16'), 'on their own from 16.'],
    [
      { plans: 'never' },
      badRequest('this group is archived', { code: 'archived' }),
      'This group is archived, so',
    ],
  ])('that are refused say why, and keep the typed values: %j', async (fields, fails, words) => {
    failure = fails;
    const page = await fill(on, { ...asTheyAre, join_review: 'all', ...fields });
    expectPage(page, 400, words);
    expect(page.text).toContain('value="all" checked');
    expect(acts).toEqual([]);
  });

  test('keep an existing last day', async () => {
    group = { ...rowing, endsAt: timestampFromMs(Date.UTC(2026, 6, 31, 22)) };
    expectPage(await fill(on, asTheyAre), 400, 'You can move the last day, but not remove it.');
  });
});

describe('the end of a group', () => {
  const on = `${path}/archive`;

  test.each([
    [{ do: 'archive' }, 'archive', 'archived'],
    [{ do: 'end', for_good: 'yes' }, 'end', 'ended'],
  ])('is asked about first: %j', async (fields, act, done) => {
    const page = await home.ada.open(on);
    expect([wordsOf(page).includes('restore the group for 30 days'), acts]).toEqual([true, []]);
    const { headers } = await home.ada.send(page, on, fields);
    expect([headers.location, acts]).toMatchObject([
      `${path}?done=${done}`,
      [{ name: act, request: { id }, person: adaId }],
    ]);
  });

  test('permanently has to be ticked', async () => {
    expectPage(await fill(on, { do: 'end' }), 400, 'Tick this box to end the group.');
    expect(acts).toEqual([]);
  });

  test('that was refused says why', async () => {
    failure = forbidden('only an organizer of the group can do this', { rule: 'only_organizers' });
    expectPage(await fill(on, { do: 'archive' }), 400, 'Only an organizer of the group can do this.');
  });

  test("can be undone on the group's page, while that is possible", async () => {
    expect((await home.ada.open(path)).text).not.toContain(`${path}/restore`);
    group = { ...rowing, archived: true };
    for (const below of ['/settings', '/archive'])
      expect((await home.ada.open(`${path}${below}`)).headers.location).toBe(path);
    const page = await home.ada.open(path);
    expect(page.text).not.toContain('value="organizer"');
    const { headers } = await home.ada.send(page, `${path}/restore`);
    expect([headers.location, acts]).toMatchObject([
      `${path}?done=restored`,
      [{ name: 'restore', request: { id } }],
    ]);
    failure = forbidden('only the organizer who archived the group can restore it');
    expectPage(await fill(`${path}/restore`, {}, path), 400, 'You don’t have permission to do this.');
    group = { ...group, endsAt: timestampFromMs(clock.now()) };
    expect((await home.ada.open(path)).text).not.toContain(`${path}/restore`);
  });
});
