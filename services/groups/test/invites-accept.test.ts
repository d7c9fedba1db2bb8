import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Role } from '@hearth/proto/groups/v1/groups';
import { InviteState, InviteStatus, JoinStatus, JoinVia } from '@hearth/proto/groups/v1/invites';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import {
  ADULT,
  anyoneFrom,
  appAlone,
  CHILD,
  failure,
  follows,
  onPages,
  per,
  startGroups,
  TEEN13,
  TEEN16,
  uuidOf,
} from './start-groups.ts';

const siteUrl = 'https://hearth.example';
const home = await startGroups({
  HEARTH_SITE_URL: siteUrl,
  HEARTH_LIMITS: '{"wrong_codes_a_minute": 1000, "open_invites_a_group": 5}',
});
afterAll(() => home.stop());
afterEach(() => {
  home.peers.back('delivery');
});

const { accept, happened, invite, list, membersOf, peek, by, club, invited } = home;
const inDays = (days: number) => timestampFromDate(new Date(home.clock.now() + days * 86_400_000));

describe('a guardian who accepts for their child', () => {
  test("adds the child with the guardian's consent", async () => {
    const { group, ada, ben } = await club({ settings: { minors: 2, joinReview: 1 } });
    const [mia, tim] = [1, 2].map(() => home.newPerson({ ageBand: CHILD, guardians: [ben.id] }));
    const { code } = await invite(ada, group, { forAge: CHILD, reusable: true });
    const take = (who: Parameters<typeof by>[0], child: string) =>
      by(who).acceptInvite({ code: code!, for: child });
    expect(await take(onPages(ben), per(mia!))).toMatchObject({ status: JoinStatus.JOINED });
    expect(await take(onPages(ben), per(mia!))).toMatchObject({ status: JoinStatus.JOINED });
    expect(await membersOf(group)).toHaveLength(2);
    // The guardian is not a member, and no one else can do it.
    expect(await failure(take(onPages(ada), per(tim!)))).toBe('not_found not_found');
    const { members } = await by(onPages(ada)).listMembers({ id: group.id });
    const shielded = members.flatMap(({ person }) => (person?.shielded ? [person.id] : []));
    expect(shielded).toHaveLength(1);
    expect(await failure(take(onPages(ada), shielded[0]!))).toBe('not_found not_found');
    expect(await failure(take(onPages(ben), per(ada)))).toBe('not_found not_found');
    expect(
      await failure(by(anyoneFrom('203.0.113.0/24')).acceptInvite({ code: code!, for: per(mia!) })),
    ).toMatch(/^unauthenticated/);
  });
});

describe('peek_invite', () => {
  test('of a link does not name its creator', async () => {
    const { group, ada } = await club({ settings: { minors: 3, joinReview: 2 } });
    const link = await peek((await invite(ada, group, { reusable: true, forAge: TEEN16 })).code!);
    expect(link).toMatchObject({ reusable: true, forAge: TEEN16, needsReview: true });
    expect(link.invitedBy).toBeUndefined();
  });

  test('omits deleted accounts', async () => {
    const { group, ben } = await club({ organizers: ['ben'] });
    const { code } = await invite(ben, group);
    expect((await peek(code!)).invitedBy).toBe(ben.name);
    await home.deletePerson(ben);
    await follows(async () => expect((await peek(code!)).invitedBy).toBeUndefined());
    expect((await peek(code!)).state).toBe(InviteState.OK);
  });

  test('explains why an invite is no longer valid', async () => {
    const { group, ada, ben, cyd } = await club();
    const [once, link, taken, late] = [
      await invite(ada, group),
      await invite(ada, group, { reusable: true, maxUses: 1 }),
      await invite(ada, group),
      await invite(ada, group, { expiresAt: inDays(1) }),
    ];
    await accept(ben, once.code!);
    await accept(cyd, link.code!);
    await by(ada).revokeInvite({ code: taken.code! });
    home.clock.advance(86_400_000);
    const states = await Promise.all(
      [once, link, taken, late].map(async ({ code }) => (await peek(code!)).state),
    );
    expect(states).toEqual([InviteState.USED, InviteState.FULL, InviteState.REVOKED, InviteState.EXPIRED]);
    const words = await Promise.all(
      [once, link, taken, late].map(({ code }) => failure(accept(home.newPerson(), code!))),
    );
    expect(words).toEqual([
      'bad_request not_waiting',
      'bad_request cap_reached',
      'bad_request not_waiting',
      'bad_request not_waiting',
    ]);
    const listed = (await list(ada, group)).invites.map(({ status, why }) => [status, why]);
    expect(listed).toEqual(
      expect.arrayContaining([
        [InviteStatus.DECLINED, 'expired'],
        [InviteStatus.DECLINED, 'revoked'],
        [InviteStatus.WAITING, undefined],
        [InviteStatus.USED, undefined],
      ]),
    );
  });
});

describe('accept_invite', () => {
  test('adds a member, and its event says how they joined', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson({ app: home.uuid() })];
    const group = await home.newGroup(ada);
    const made = await invite(ada, group, { itemRef: 'item-1' });
    const answer = await by(ben).acceptInvite({ code: made.url! });
    expect(answer).toMatchObject({
      status: JoinStatus.JOINED,
      group: group.id,
      member: { role: Role.MEMBER, person: { id: per(ben) } },
      waitingFor: [],
    });
    expect(answer.sessionToken).toBeUndefined();
    const joined = (await home.events(group)).find(({ data }) => data.case === 'memberJoined')!;
    expect(joined.by).toMatchObject({ id: ben.id });
    expect(joined.data.value).toMatchObject({
      person: { id: ben.id },
      role: 'member',
      via: 'app',
      invite: uuidOf(made.id),
      itemRef: 'item-1',
      apps: expect.arrayContaining([ben.app, home.app]),
    });
    expect((await list(ada, group)).invites[0]).toMatchObject({ status: InviteStatus.USED });
  });

  test.each([
    [undefined, 'link'],
    [JoinVia.CODE, 'code'],
    [JoinVia.INVITE, 'invite'],
  ])('by way of %s, on the pages', async (via, word) => {
    const { group, code } = await invited();
    await accept(home.newPerson(), code, { ...(via !== undefined && { via }) });
    const joined = (await home.events(group)).find(({ data }) => data.case === 'memberJoined')!;
    expect(joined.data.value).toMatchObject({ via: word });
  });

  test('repeated has the same answer, and a member who joined otherwise is told so', async () => {
    const { group, ada, ben } = await club();
    const [one, other] = [await invite(ada, group), await invite(ada, group)];
    const first = await accept(ben, one.code!);
    expect(await accept(ben, one.code!)).toEqual(first);
    expect(await failure(accept(ben, other.code!))).toBe('bad_request already_settled');
    expect(await failure(accept(ada, other.code!))).toBe('bad_request already_settled');
    expect((await happened(group)).filter((name) => name === 'memberJoined')).toHaveLength(1);
    expect((await peek(other.code!)).state).toBe(InviteState.OK);
  });

  test('needs either a sign-in or a name, not both', async () => {
    const { group, ada, ben, code } = await invited();
    const guest = { name: 'Ben', birthYearMonth: '1990-01' };
    const anyone = anyoneFrom('192.0.2.0/24');
    const call = (fields: object, caller = anyone) =>
      failure(by(caller).acceptInvite({ code: code, ...fields }));
    expect(await call({})).toBe('unauthenticated');
    expect(await call({ guest }, onPages(ben))).toBe('bad_request bad_field guest');
    expect(await call({ guest }, appAlone(home.app))).toBe('bad_request bad_field Svc-Acting-For');
    expect(await call({ via: JoinVia.HOME }, onPages(ben))).toBe('bad_request bad_field via');
    expect(await failure(accept(ben, '0'.repeat(22)))).toBe('not_found not_found');
    expect(await membersOf(group)).toEqual([ada.id]);
  });

  test('adds no member to an archived group until it is restored', async () => {
    const { group, ada, code } = await invited();
    await by(ada).archiveGroup({ id: group.id });
    expect((await peek(code)).state).toBe(InviteState.EXPIRED);
    expect(await failure(accept(home.newPerson(), code))).toBe('bad_request archived');
    await by(ada).restoreGroup({ id: group.id });
    expect((await accept(home.newPerson(), code)).status).toBe(JoinStatus.JOINED);
  });

  test("a removed member who had joined by a link needs an organizer's approval to return", async () => {
    const { group, ada, ben, code } = await invited({ settings: { joinReview: 1 } }, { reusable: true });
    await accept(ben, code);
    await by(ada).removeMember({ id: group.id, person: per(ben) });
    expect(await accept(ben, code)).toMatchObject({ status: JoinStatus.WAITING, waitingFor: ['organizer'] });
    expect(await membersOf(group)).toEqual([ada.id]);
  });
});

describe('a guest', () => {
  const anyone = anyoneFrom('192.0.2.0/24');
  const guests = () => home.peers.requestsOf(PeopleService.method.createGuest);
  const come = (code: string, birthYearMonth: string) =>
    by(anyone).acceptInvite({ code, guest: { name: 'Guest Ben', birthYearMonth, timeZone: 'Asia/Tokyo' } });

  test('joins under a name and gets a session', async () => {
    const { group, code } = await invited();
    const before = guests().length;
    const answer = await come(code, '1990-01');
    expect(answer).toMatchObject({
      status: JoinStatus.JOINED,
      member: { person: { name: 'Guest Ben', guest: true } },
      sessionToken: expect.stringMatching(/^hearth_ps_/),
    });
    const [asked, ...more] = guests().slice(before);
    expect(more).toEqual([]);
    expect(asked).toMatchObject({
      name: 'Guest Ben',
      birthYearMonth: '1990-01',
      timeZone: 'Asia/Tokyo',
      app: home.app,
    });
    const joined = (await home.events(group)).find(({ data }) => data.case === 'memberJoined')!;
    expect(joined.by).toMatchObject({ id: asked!.id, person: asked!.id });
  });

  test('can use an invite for several ages at each of those ages, and no other', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada, { settings: { minors: 3, joinReview: 1 } });
    const forAges = [ADULT, TEEN16];
    const made = await invite(ada, group, { forAges, reusable: true });
    expect([made.forAges, made.forAge]).toEqual([forAges, 0]);
    const peeked = await peek(made.code!);
    expect([peeked.forAges, peeked.forAge]).toEqual([forAges, undefined]);
    for (const born of ['1990-01', '2009-06'])
      expect((await come(made.code!, born)).status).not.toBe(JoinStatus.UNSPECIFIED);
    expect(await failure(come(made.code!, '2012-01'))).toBe('bad_request bad_field code');
    const child = home.newPerson({ ageBand: CHILD, guardians: [ada.id] });
    const all = await invite(ada, group, { forAges: [ADULT, TEEN16, TEEN13, CHILD], reusable: true });
    expect((await accept(child, all.code!)).status).toBe(JoinStatus.WAITING);
    expect((await list(ada, group)).invites.map((one) => one.forAges.length).toSorted()).toEqual([2, 4]);
    expect(await failure(invite(ada, group, { forAge: CHILD, forAges }))).toBe(
      'bad_request bad_field for_age',
    );
    expect(await failure(invite(ada, await home.newGroup(ada), { forAges }))).toBe(
      'bad_request minors_not_allowed for_age',
    );
  });

  test('is not created when they could not join', async () => {
    const ada = home.newPerson();
    const [adults, teens] = [await home.newGroup(ada), await home.newGroup(ada, { settings: { minors: 3 } })];
    const guardian = await home.newGroup(ada, { settings: { minors: 2 } });
    const before = guests().length;
    const used = await invite(ada, adults);
    await accept(home.newPerson(), used.code!);
    const refused = [
      [used, '1990-01', 'bad_request not_waiting'],
      [await invite(ada, adults), '2012-01', 'bad_request minors_not_allowed'],
      [await invite(ada, teens, { forAge: TEEN16 }), '1990-01', 'bad_request bad_field code'],
      [await invite(ada, teens, { forAge: TEEN13 }), '2012-01', 'bad_request guardian_needed'],
      [await invite(ada, guardian, { forAge: TEEN16 }), '2009-06', 'bad_request guardian_needed'],
    ] as const;
    for (const [{ code }, born, words] of refused) expect(await failure(come(code!, born))).toBe(words);
    expect(guests()).toHaveLength(before);
    const open = await invite(ada, teens, { forAge: TEEN16 });
    expect((await come(open.code!, '2009-06')).status).toBe(JoinStatus.WAITING);
  });
});
