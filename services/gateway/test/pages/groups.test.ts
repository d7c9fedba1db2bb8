import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField, badRequest, forbidden, notFound, unavailable } from '@hearth/errors';
import { ReportReason, RequestsService } from '@hearth/proto/approvals/v1/requests';
import { DecisionStatus, DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { PlanStatus, PlansService } from '@hearth/proto/decisions/v1/plans';
import { type GroupSchema, GroupsService, Minors, Role } from '@hearth/proto/groups/v1/groups';
import { type GroupPostSchema, GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, clock, startHomeWithPeople } from './home-with-people.ts';
import { type Noted, noting } from './notes.ts';
import { cursorIn, expectPage, expectSignIn, expectWords, wordsOf } from './visitor.ts';

type Group = Exclude<MessageInitShape<typeof GroupSchema>, { $typeName: string }>;
type Post = Exclude<MessageInitShape<typeof GroupPostSchema>, { $typeName: string }>;

const path = '/g/rowing';
const id = `grp_${'1'.repeat(32)}`;
const child = `shp_${'2'.repeat(32)}`;
const postId = `msg_${'3'.repeat(32)}`;
const at = timestampFromMs(clock.now() - 60_000);

const rowing: Group = {
  ...{ id, address: '&rowing', name: 'Rowing <club>', yourRole: Role.ORGANIZER },
  settings: { minors: Minors.TEENS, consentAge: 16 },
};
const post: Post = { id: postId, from: '@ben', fromName: 'Ben <b>', text: 'On <Friday>', at };

let group: Group;
let posts: Post[];
let organizers: number;
let away: Error | undefined;
let failure: Error | undefined;
let asked: Noted[];

const noted = noting((call) => {
  if (failure !== undefined) throw failure;
  asked.push(call);
});
const read = noting((call) => {
  if (away !== undefined) throw away;
  asked.push(call);
});

const home = await startHomeWithPeople([
  fake(GroupsService, {
    getGroup: async (request, { caller }) => {
      if (caller.id !== adaId || ![id, '&rowing'].includes(request.id)) throw notFound();
      return group;
    },
    listGroups: read('list', () => ({
      groups: [group, { ...rowing, address: '&old', name: 'Old', yourRole: Role.MEMBER, archived: true }],
      nextCursor: 'older-groups',
    })),
    listMembers: read('members', (request: { role?: Role }) => ({
      members:
        request.role === Role.ORGANIZER
          ? Array.from({ length: organizers }, () => ({ role: Role.ORGANIZER, joinedAt: at }))
          : [
              { person: { name: 'Ada Lovelace', address: '@ada' }, role: Role.ORGANIZER, joinedAt: at },
              { person: { name: 'Kit L.', address: child, shielded: true }, role: Role.MEMBER, joinedAt: at },
            ],
      nextCursor: 'more-members',
    })),
    createGroup: noted('create', () => ({ ...rowing, address: '&chess' })),
    leaveGroup: noted('leave', (request: { confirmArchive?: boolean }) => ({
      left: true,
      archived: request.confirmArchive === true,
    })),
  }),
  fake(GroupPostsService, {
    listGroupPosts: read('posts', () => ({ messages: posts, nextCursor: 'older-posts' })),
    postGroup: noted('post', () => post),
  }),
  fake(DecisionsService, {
    listDecisions: read('decisions', {
      decisions: [
        { id: 'd_1', title: 'Which <boat>?', status: DecisionStatus.CLASH },
        { id: 'd_2', title: 'Settled before', status: DecisionStatus.AGREED },
      ],
    }),
  }),
  fake(PlansService, {
    listPlans: read('plans', { plans: [{ id: 'pln_1', title: 'A day out', status: PlanStatus.OPEN }] }),
  }),
  fake(RequestsService, { report: noted('report', { id: 'rpt_1' }) }),
]);
afterAll(() => home.stop());
beforeEach(() => {
  group = rowing;
  posts = [post];
  organizers = 2;
  away = undefined;
  failure = undefined;
  asked = [];
});

const acts = () => asked.filter(({ name }) => ['create', 'leave', 'post', 'report'].includes(name));
const fill = async (on: string, fields: Record<string, string>) =>
  await home.ada.send(await home.ada.open(on), on, fields);

describe("a person's groups", () => {
  test('are listed with role and state, archived ones too, page by page', async () => {
    const older = cursorIn(await home.ada.open('/groups'), 'older', 'older-groups');
    asked = [];
    const page = await home.ada.open(`/groups?older=${older}`);
    expectWords(page, 'Rowing <club>', '&rowing', 'organizer', 'Old', 'archived');
    expect(asked).toMatchObject([{ request: { archived: true, cursor: 'older-groups' }, person: adaId }]);
    for (const href of [path, '/g/old', `/groups?older=${older}`])
      expect(page.text).toContain(`href="${href}"`);
  });

  test('creating a group leads to its page', async () => {
    const { headers } = await fill('/groups', { name: 'Chess', minors: 'guardian' });
    expect([headers.location, acts()]).toMatchObject([
      '/g/chess?done=made',
      [{ request: { name: 'Chess', settings: { minors: Minors.GUARDIAN } }, person: adaId }],
    ]);
  });

  test.each([
    [{ name: ' ' }, undefined, 'Enter a name for the group.'],
    [{ name: 'x'.repeat(81) }, undefined, 'Use 1 to 80 characters'],
    [{ name: 'Chess<b>' }, badField('name', 'must be another one'), 'Choose a different name.'],
    [{ name: 'Chess<b>' }, forbidden('you are in too many groups'), 'You don’t have permission to do this.'],
  ])('a refused group (%j) says why, and keeps the typed values', async (fields, fails, words) => {
    failure = fails;
    const page = await fill('/groups', { minors: 'teens', ...fields });
    expectPage(page, 400, words);
    expect(page.text).toMatch(/value="teens" checked/);
    if (fails !== undefined) expect(page.text).toContain('value="Chess&#60;b&#62;"');
    expect(acts()).toEqual([]);
  });

  test('a guest is told to add a sign-in first', async () => {
    const page = await home.grace.open('/groups');
    expect(wordsOf(page)).toContain('Add a sign-in first');
    expect(page.text).not.toContain('name="minors"');
  });
});

describe('a group', () => {
  test('shows its facts, members, posts and open decisions and plans', async () => {
    posts = [
      { ...post, id: 'msg_2', from: '@ada', fromName: 'Ada', text: 'Yes', replyTo: postId },
      { ...post, id: 'msg_3', from: child, fromName: 'Kit L.', byAi: true },
      { ...post, id: 'msg_4', text: '' },
      post,
    ];
    const page = await home.ada.open(`${path}?done=made`);
    expectWords(
      page,
      ...['Group created.', 'Rowing <club>', '&rowing', 'teenagers from 16', 'Kit L.', child],
      ...['On <Friday>', 'a post by Ben <b>', 'This post was removed.', 'Which <boat>?', 'A day out'],
    );
    expect(wordsOf(page)).not.toContain('Settled before');
    for (const href of ['/d/d_1', '/p/pln_1', `${path}/invites`, `${path}/leave`])
      expect(page.text).toContain(`href="${href}"`);
    // Own posts and removed posts cannot be reported.
    expect(page.text.match(/\/report"/g)).toHaveLength(2);
    for (const [name, status] of [
      ['decisions', undefined],
      ['plans', PlanStatus.OPEN],
    ])
      expect(asked.find((call) => call.name === name)?.request).toMatchObject({
        group: id,
        ...(status && { status }),
      });
  });

  test('shows more members and older posts on pages of their own', async () => {
    const page = await home.ada.open(path);
    const older = cursorIn(page, 'older', 'older-posts');
    const more = cursorIn(page, 'members', 'more-members');
    asked = [];
    expect((await home.ada.open(`${path}?older=${older}`)).text).not.toContain('name="text"');
    await home.ada.open(`${path}?members=${more}`);
    expect(asked).toMatchObject([
      { name: 'posts', request: { id, cursor: 'older-posts' } },
      { name: 'members', request: { id, cursor: 'more-members' } },
    ]);
  });

  test('is shown without unavailable parts', async () => {
    away = unavailable('it is away');
    const page = await home.ada.open(path);
    expectPage(page, 200, 'Rowing <club>', 'This can’t be shown right now.');
  });

  test('lets members post, and organizers invite', async () => {
    group = { ...rowing, yourRole: Role.MEMBER };
    expect((await home.ada.open(path)).text).not.toContain(`${path}/invites`);
    const { headers } = await fill(path, { text: 'One\r\nTwo' });
    expect([headers.location, acts()]).toMatchObject([
      `${path}?done=posted`,
      [{ request: { id, text: 'One\nTwo' }, person: adaId }],
    ]);
  });

  test('accepts neither posts nor invites once it is archived', async () => {
    group = { ...rowing, archived: true };
    const page = await home.ada.open(path);
    expect(wordsOf(page)).toContain('This group is archived');
    expect(page.text).not.toContain('name="text"');
    expect(page.text).not.toContain(`${path}/invites`);
  });

  test("says that it has ended, and keeps a late post's text", async () => {
    const page = await home.ada.open(path);
    group = { ...rowing, archived: true, endsAt: timestampFromMs(clock.now() - 1) };
    failure = badRequest('this group is archived', { code: 'archived' });
    const late = await home.ada.send(page, path, { text: 'A long one' });
    expectPage(late, 400, 'This group has ended');
    expectWords(late, 'The group can’t be restored.', 'This group is archived, so');
    expect(late.text).toContain('>A long one</textarea>');
  });

  test.each([
    ['', undefined, 'Write something to post.'],
    ['x'.repeat(4001), undefined, 'Use 1 to 4,000 characters'],
    ['Hello <b>', badRequest('this group is archived', { code: 'archived' }), 'This group is archived, so'],
  ])('says why a post was refused', async (text, fails, words) => {
    failure = fails;
    const page = await fill(path, { text });
    expectPage(page, 400, words);
    expect(page.text).toContain(`>${text.replace('<b>', '&#60;b&#62;')}</textarea>`);
  });

  test('is found by its id, and leads on to its address', async () => {
    const { status, headers } = await home.ada.open(`/g/${id}`);
    expect([status, headers.location]).toEqual([303, path]);
  });

  test.each(['', '/leave', `/posts/${postId}/report`])(
    'is for members who are signed in: %s',
    async (below) => {
      expectSignIn(await home.stranger().open(`${path}${below}`), `${path}${below}`);
      expect((await home.grace.open(`${path}${below}`)).status).toBe(404);
      for (const hidden of ['/g/nowhere', '/g/%3Cb%3E', '/g/grp_1'])
        expectPage(await home.ada.open(`${hidden}${below}`), 404, 'Page not found');
      expect((await home.ada.post(`${path}${below}`, { text: 'x', reason: 'spam' })).status).toBe(403);
      expect(acts()).toEqual([]);
    },
  );
});

describe('leaving', () => {
  test('needs a confirmation', async () => {
    const { headers } = await fill(`${path}/leave`, {});
    expect([headers.location, acts()]).toMatchObject([
      '/groups?done=left',
      [{ request: { id }, person: adaId }],
    ]);
  });

  test('as its last organizer archives it, which has to be ticked', async () => {
    organizers = 1;
    expectWords(await home.ada.open(`${path}/leave`), 'You’re the last organizer');
    failure = badField('confirm_archive', 'say so with confirm_archive');
    expectPage(await fill(`${path}/leave`, {}), 400, 'Tick this box to leave. The group will be archived.');
    failure = undefined;
    const { headers } = await fill(`${path}/leave`, { archive: 'yes' });
    expect([headers.location, acts()]).toMatchObject([
      '/groups?done=archived',
      [{ request: { id, confirmArchive: true } }],
    ]);
  });

  test('that another person has to decide is refused with an explanation', async () => {
    failure = forbidden('your parent or guardian has to do this for you', { code: 'needs_person' });
    expectPage(await fill(`${path}/leave`, {}), 400, 'If you have a guardian, ask them to do it.');
  });
});

describe('a report of a post', () => {
  const on = `${path}/posts/${postId}/report`;

  test('goes to the operator', async () => {
    const { headers } = await fill(on, { reason: 'harassment', text: 'Look' });
    expect([headers.location, acts()]).toMatchObject([
      `${path}?done=reported`,
      [{ request: { about: postId, reason: ReportReason.HARASSMENT, text: 'Look' }, person: adaId }],
    ]);
  });

  test('says what is missing, and keeps the typed values', async () => {
    const page = await fill(on, { text: 'Look <b>' });
    expectPage(page, 400, 'Choose what’s wrong.');
    expect(page.text).toContain('Look &#60;b&#62;</textarea>');
    expectPage(await fill(on, { reason: 'spam', text: 'x'.repeat(5000) }), 400, 'characters');
    expect(acts()).toEqual([]);
  });

  test('of an invisible post, or of anything else, is not found', async () => {
    failure = notFound();
    expectPage(await fill(on, { reason: 'spam' }), 404, 'Page not found');
    failure = undefined;
    expect((await fill(on.replace('msg_', 'apr_'), { reason: 'spam' })).status).toBe(404);
    expect(acts()).toEqual([]);
  });
});
