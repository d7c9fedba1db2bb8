import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField, badRequest, forbidden, notFound, unavailable } from '@hearth/errors';
import { GroupsService, Minors, Role } from '@hearth/proto/groups/v1/groups';
import { InviteDelivery, InviteSchema, InviteStatus, InvitesService } from '@hearth/proto/groups/v1/invites';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, clock, startHomeWithPeople } from './home-with-people.ts';
import { type Noted, noting } from './notes.ts';
import { cursorIn, expectPage, expectWords, wordsOf } from './visitor.ts';

const path = '/g/rowing/invites';
const url = 'http://localhost:8080/i/k3Jx9QaLmNoPqRsTuVwXyZ';
const id = `inv_${'1'.repeat(32)}`;

type Init = Exclude<MessageInitShape<typeof InviteSchema>, { $typeName: string }>;

let minors: Minors;
let archived: boolean;
let invites: Init[];
let asked: Noted[];
let made: Init;
let failure: Error | undefined;

const invite: Init = {
  ...{ id, group: `grp_${'2'.repeat(32)}`, invitee: 'Ben <b>', status: InviteStatus.WAITING },
  expiresAt: timestampFromMs(clock.now() + 7 * 24 * 3_600_000),
};

const noted = noting((call) => {
  if (failure !== undefined) throw failure;
  asked.push(call);
});

const home = await startHomeWithPeople([
  fake(GroupsService, {
    getGroup: async (request, { caller }) => {
      if (caller.id !== adaId || request.id !== '&rowing') throw notFound();
      return { id: 'grp_1', address: '&rowing', name: 'Rowing <club>', archived, settings: { minors } };
    },
  }),
  fake(InvitesService, {
    listInvites: async (request, { caller }) => {
      asked.push({ name: 'list', request, person: caller.id });
      if (caller.id !== adaId) throw forbidden('only an organizer of the group can do this');
      return { invites, nextCursor: 'older-ones' };
    },
    createInvite: noted('create', () => create(InviteSchema, { ...invite, url, ...made })),
    revokeInvite: noted('revoke', invite),
  }),
]);
afterAll(() => home.stop());
beforeEach(() => {
  minors = Minors.NO;
  archived = false;
  invites = [];
  asked = [];
  made = {};
  failure = undefined;
});

const acts = () => asked.filter(({ name }) => name !== 'list');

describe('the invites into a group', () => {
  test('say how each reached its recipient', async () => {
    const words: [InviteDelivery | undefined, string][] = [
      [InviteDelivery.DELIVERED, 'Delivered, and they were notified.'],
      [InviteDelivery.REQUESTED, 'The invite is waiting in their requests.'],
      [InviteDelivery.FRONT_DOOR, 'Their AI sees it first'],
      [InviteDelivery.DECLINED, 'Their rules declined it automatically'],
    ];
    for (const [delivery, told] of words) {
      invites = [{ ...invite, ...(delivery !== undefined && { delivery }) }];
      const page = wordsOf(await home.ada.open(path));
      for (const part of ['Invites to Rowing <club>', 'Ben <b>', told, 'Sun, 10 May 2026'])
        expect(page).toContain(part);
      for (const [, other] of words) expect(page.includes(other)).toBe(other === told);
    }
  });

  test('show their outcomes, and who waits', async () => {
    invites = [
      { ...invite, status: InviteStatus.DECLINED, why: 'expired' },
      { ...invite, reusable: true, uses: 3, maxUses: 10, waiting: [{ person: { name: 'Grace H.' } }] },
      { ...invite, status: InviteStatus.USED },
    ];
    const { text } = await home.ada.open(`${path}?done=ended`);
    expectWords(
      { text } as never,
      'The invite expired.',
      'Used 3 of 10 times',
      'Waiting to join: Grace H.',
      'Invite revoked',
    );
    // An invite that ended cannot be revoked.
    expect(text.match(/\/end"/g)).toHaveLength(1);
  });

  test('are read page by page', async () => {
    const older = cursorIn(await home.ada.open(path), 'older', 'older-ones');
    asked = [];
    const { text } = await home.ada.open(`${path}?older=${older}`);
    expect(asked).toMatchObject([{ request: { id: '&rowing', cursor: 'older-ones' } }]);
    expect(text).toContain(`href="${path}?older=${older}"`);
    expect(text).not.toContain('name="to"');
  });

  test('are shown to signed-in people who may see them', async () => {
    const { status, headers } = await home.stranger().open(path);
    expect([status, headers.location]).toEqual([303, '/in?next=%2Fg%2Frowing%2Finvites']);
    expect((await home.ada.open('/g/nowhere/invites')).status).toBe(404);
    expect([403, 404]).toContain((await home.grace.open(path)).status);
    expect((await home.ada.post(path, { to: '@ben' })).status).toBe(403);
    expect(acts()).toEqual([]);
  });

  test('of an archived group lead to its page, which says so', async () => {
    const page = await home.ada.open(path);
    archived = true;
    expect((await home.ada.open(path)).headers.location).toBe('/g/rowing');
    failure = badRequest('this group is archived', { code: 'archived' });
    const { status, headers } = await home.ada.send(page, path, { to: '@ben' });
    expect([status, headers.location]).toEqual([303, '/g/rowing']);
  });

  test('are revoked', async () => {
    invites = [invite];
    const page = await home.ada.open(path);
    const { headers } = await home.ada.send(page, `${path}/${id}/end`);
    expect([headers.location, acts()]).toMatchObject([
      `${path}?done=ended`,
      [{ name: 'revoke', request: { code: id }, person: adaId }],
    ]);
  });
});

describe('an invite', () => {
  const send = async (fields: Record<string, string>) =>
    await home.ada.send(await home.ada.open(path), path, fields);

  test.each<[Record<string, string>, Init, string[]]>([
    [{}, {}, ['Invite created', 'Share the link with the person', 'but only once']],
    [{ reusable: 'yes' }, { reusable: true }, ['Anyone with the link can use it.']],
    [{ to: '@ben' }, { delivery: InviteDelivery.REQUESTED }, ['The invite is waiting in their requests.']],
    [{ to: '@ben' }, { delivery: InviteDelivery.FRONT_DOOR }, ['Their AI sees it first']],
    [{ to: 'ben@mail.example' }, {}, ['The invite is sent by email.']],
  ])('%j is created, and its link shown', async (fields, answer, words) => {
    made = answer;
    const page = await send({ invitee: 'Ben', ...fields });
    for (const part of words) expect(wordsOf(page)).toContain(part);
    expect(page.text).toContain(`${url}</output>`);
    const { reusable, ...rest } = fields;
    expect(acts()).toMatchObject([
      { request: { id: '&rowing', invitee: 'Ben', reusable: reusable === 'yes', ...rest }, person: adaId },
    ]);
    expect(page.headers['cache-control']).toContain('no-store');
    expect(home.logged.join('\n')).not.toContain(url);
  });

  test('that their rules decline shows no link', async () => {
    made = { delivery: InviteDelivery.DECLINED, status: InviteStatus.DECLINED };
    const page = await send({ to: '@ben' });
    expect(wordsOf(page)).toContain('Invite declined');
    expect(page.text).not.toContain(url);
  });

  test('is for an age if the group accepts others than adults', async () => {
    expect((await home.ada.open(path)).text).not.toContain('name="for_age"');
    minors = Minors.GUARDIAN;
    await send({ for_age: 'child' });
    expect(acts()).toMatchObject([{ request: { forAge: AgeBand.CHILD } }]);
  });

  test.each([
    [() => badField('to', 'must be an address'), 'Enter the address of someone you can reach here.'],
    [() => notFound(), 'There’s no person here with this address.'],
    [
      () => forbidden('this address does not take invites from you', { code: 'turned_away' }),
      'The recipient doesn’t accept this from you.',
    ],
  ])('that cannot be created says why at its field, and keeps the typed values', async (fails, words) => {
    failure = fails();
    const page = await send({ to: '@ben<b>', invitee: 'Ben', reusable: 'yes' });
    expectPage(page, 400, words);
    expect(page.text).toContain('value="@ben&#60;b&#62;"');
    expect(page.text).toMatch(/name="reusable" value="yes" checked/);
  });

  test('refused by a full group says why above the form, and keeps the typed values', async () => {
    failure = badRequest('this group has 500 open invites', { code: 'cap_reached' });
    const page = await send({ invitee: 'Ben' });
    expectPage(page, 400, 'That didn’t work The limit for this has been reached.');
    expect(page.text).toContain('value="Ben"');
  });

  test('that fails for another reason has an error page', async () => {
    failure = unavailable('groups is away');
    expect((await send({})).status).toBe(503);
  });
});

test('the account page links to the groups that the person organizes', async () => {
  const gateway = await startHomeWithPeople([
    fake(GroupsService, {
      listGroups: async () => ({
        groups: [
          { address: '&rowing', name: 'Rowing <club>', yourRole: Role.ORGANIZER },
          { address: '&chess', name: 'Chess', yourRole: Role.MEMBER },
          { address: '&old', name: 'Old', yourRole: Role.ORGANIZER, archived: true },
        ],
      }),
    }),
    fake(PeopleService, {
      getAccount: async () => ({ facts: { id: adaId, handle: 'ada', name: 'Ada', timeZone: 'UTC' } }),
      listLinks: async () => ({}),
      listChildren: async () => ({}),
    }),
    fake(SignInService, { listSignIns: async () => ({}) }),
  ]);
  try {
    const { text } = await gateway.ada.open('/me');
    expect([...text.matchAll(/href="\/g\/([^"]*)"/g)].map(([, to]) => to)).toEqual(['rowing/invites']);
  } finally {
    await gateway.stop();
  }
});
