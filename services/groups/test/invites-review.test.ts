import { timestampDate } from '@bufbuild/protobuf/wkt';
import { sql } from '@hearth/db';
import { JoinReview, Minors } from '@hearth/proto/groups/v1/groups';
import { InviteState, InviteStatus, JoinStatus, ReviewDecision } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, describe, expect, test } from '@jest/globals';
import { CHILD, failure, follows, onPages, per, startGroups, TEEN13 } from './start-groups.ts';

const home = await startGroups({ HEARTH_LIMITS: '{"wrong_codes_a_minute": 1000}' });
afterAll(() => home.stop());

const { accept, happened, invite, list, membersOf, notices, peek, review, by, club } = home;
const { APPROVED, DECLINED } = ReviewDecision;

const reviewed = { joinReview: JoinReview.ALL };
const withGuardian = { minors: Minors.GUARDIAN, joinReview: JoinReview.NONE };
const bothAsked = { ...withGuardian, joinReview: JoinReview.ALL };

const groupOf = (organizer: PersonFacts, settings: object) =>
  home.newGroup(organizer, { name: home.newName(), settings });

/** The approvers of each approval of a person's join request. */
const askedFor = (person: PersonFacts) =>
  home.approvals.asked.filter((ask) => ask.person === person.id).map(({ to }) => to);

function family(more: object = {}) {
  const guardian = home.newPerson();
  const child = home.newPerson({
    ageBand: CHILD,
    name: 'Ida Lovelace',
    guardians: [guardian.id],
    app: home.uuid(),
    ...more,
  });
  return { guardian, child };
}

/** A child waits to join a group of Ada's. */
async function childWaits(settings: object = withGuardian) {
  const [ada, { guardian, child }] = [home.newPerson(), family()];
  const group = await groupOf(ada, settings);
  const { code, id } = await invite(ada, group, { forAge: CHILD });
  await accept(child, code!);
  return { ada, guardian, child, group, code: code!, id };
}

describe('a group that reviews new members', () => {
  test("admits a person with an organizer's approval", async () => {
    const { ada, ben, group } = await club({ name: home.newName(), settings: reviewed });
    const { code, id } = await invite(ada, group);
    const waiting = { status: JoinStatus.WAITING, waitingFor: ['organizer'] };
    expect((await peek(code!)).needsReview).toBe(true);
    expect(await accept(ben, code!, { note: 'please' })).toMatchObject(waiting);
    expect(await accept(ben, code!, { note: 'again' })).toMatchObject(waiting);
    expect(await failure(accept(home.newPerson(), code!))).toBe('bad_request not_waiting');
    expect([(await peek(code!)).state, (await peek(code!, onPages(ben))).state]).toEqual([
      InviteState.USED,
      InviteState.OK,
    ]);
    expect([...(await happened(group))].sort()).toEqual(['groupCreated', 'inviteCreated', 'joinAsked']);
    const [listed] = (await list(ada, group)).invites;
    expect(listed!.waiting).toMatchObject([
      { person: { id: per(ben) }, note: 'please', waitingFor: ['organizer'] },
    ]);

    const answer = await review(ada, id, APPROVED, { note: 'welcome' });
    expect(answer).toMatchObject({
      status: InviteStatus.USED,
      member: { person: { id: per(ben) } },
      waitingFor: [],
    });
    expect(await membersOf(group)).toEqual(expect.arrayContaining([ada.id, ben.id]));
    expect(await review(ada, code!, APPROVED)).toEqual(answer);
    expect(await failure(review(ada, code!, DECLINED))).toBe('bad_request already_settled');
    expect((await happened(group)).filter((name) => name === 'memberJoined')).toHaveLength(1);
    expect(await notices(group.name)).toEqual([
      { person: ben.id, kind: 'invite', title: `You’re in ${group.name} now`, about: '' },
    ]);
  });

  test('rejects a person, which uses up a one-time invite and notifies its creator', async () => {
    const [ada, ben, cyd] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = await groupOf(ada, reviewed);
    await home.put(group, cyd, 'organizer');
    const { code } = await invite(ada, group);
    await accept(ben, code!);
    expect(await review(cyd, code!, DECLINED)).toMatchObject({
      status: InviteStatus.DECLINED,
      waitingFor: [],
    });
    expect(await review(cyd, code!, DECLINED)).toMatchObject({ status: InviteStatus.DECLINED });
    expect(await failure(review(ada, code!, APPROVED))).toBe('bad_request already_settled');
    expect(await failure(accept(ben, code!))).toBe('bad_request not_waiting');
    expect((await list(ada, group)).invites[0]).toMatchObject({
      status: InviteStatus.DECLINED,
      why: 'declined',
    });
    const ended = (await home.events(group)).find(({ data }) => data.case === 'inviteEnded')!;
    expect(ended.data.value).toMatchObject({ why: 'declined', person: { id: ben.id } });
    expect((await notices(group.name)).slice(-2)).toEqual(
      expect.arrayContaining([
        { person: ben.id, kind: 'invite', title: `You can’t join ${group.name}`, about: '' },
        { person: ada.id, kind: 'invite', title: `Your invite to ${group.name} was declined`, about: '' },
      ]),
    );
  });

  test('answers each person waiting by a link, which stays open', async () => {
    const [ada, ben, cyd] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = await groupOf(ada, reviewed);
    const { code } = await invite(ada, group, { reusable: true, maxUses: 2 });
    await accept(ben, code!);
    await accept(cyd, code!);
    expect(await failure(accept(home.newPerson(), code!))).toBe('bad_request cap_reached');
    expect(await failure(review(ada, code!, APPROVED))).toBe('bad_request bad_field person');
    expect(await failure(review(ada, code!, APPROVED, { person: per(ada) }))).toBe('not_found not_found');
    await review(ada, code!, DECLINED, { person: `@${ben.handle}` });
    expect(await failure(accept(ben, code!))).toBe('bad_request already_settled');
    expect(await review(ada, code!, APPROVED)).toMatchObject({ member: { person: { id: per(cyd) } } });
    expect((await list(ada, group)).invites[0]).toMatchObject({ status: InviteStatus.WAITING, uses: 1 });
    expect(await failure(review(ada, code!, APPROVED))).toBe('bad_request not_waiting');
    await accept(home.newPerson(), code!);
    expect((await peek(code!)).state).toBe(InviteState.FULL);
  });

  test('can be reviewed by its organizers only', async () => {
    const [ada, ben, cyd, eve] = [home.newPerson(), home.newPerson(), home.newPerson(), home.newPerson()];
    const group = await groupOf(ada, reviewed);
    await home.put(group, cyd);
    const { code } = await invite(ada, group);
    await accept(ben, code!);
    expect(await failure(review(cyd, code!, APPROVED))).toBe('forbidden no_permission');
    for (const person of [eve, ben])
      expect(await failure(review(person, code!, APPROVED))).toBe('not_found not_found');
    expect(await failure(review(ada, '0'.repeat(22), APPROVED))).toBe('not_found not_found');
    expect(await failure(review(ada, code!, ReviewDecision.UNSPECIFIED))).toBe(
      'bad_request bad_field decision',
    );
    expect(await membersOf(group)).not.toContain(ben.id);
  });

  test('reviews new members only once it has minors, with the setting for minors', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const { child } = family();
    const group = await groupOf(ada, { minors: Minors.GUARDIAN, joinReview: JoinReview.MINORS });
    expect((await accept(home.newPerson(), (await invite(ada, group)).code!)).status).toBe(JoinStatus.JOINED);
    await home.put(group, child);
    expect((await accept(ben, (await invite(ada, group)).code!)).waitingFor).toEqual(['organizer']);
  });
});

describe('a person who needs a guardian', () => {
  test("joins with the guardian's approval, which nobody else can give", async () => {
    const ada = home.newPerson();
    const { guardian, child } = family();
    const group = await groupOf(ada, withGuardian);
    const { code } = await invite(ada, group, { forAge: CHILD });
    expect(await accept(child, code!)).toMatchObject({ waitingFor: ['guardian'] });
    expect(askedFor(child)).toEqual([[guardian.id]]);
    expect(await review(ada, code!, APPROVED)).toMatchObject({
      status: InviteStatus.WAITING,
      waitingFor: ['guardian'],
    });
    for (const person of [child, home.newPerson()])
      expect(await failure(review(person, code!, APPROVED))).toBe('not_found not_found');
    const answer = await review(guardian, code!, APPROVED, { person: per(child) });
    expect(answer).toMatchObject({ status: InviteStatus.USED, member: { person: { id: per(child) } } });
    const rows = await home.database.db.query(
      sql`select guardian from groups.members where person = ${child.id}`,
    );
    expect(rows).toEqual([{ guardian: guardian.id }]);
    expect((await notices(group.name)).at(-1)).toMatchObject({ person: guardian.id, about: child.id });
  });

  test("in a reviewing group needs the guardian's approval first, then the organizers'", async () => {
    const ada = home.newPerson();
    const { guardian, child } = family();
    const group = await groupOf(ada, bothAsked);
    const { code } = await invite(ada, group, { forAge: CHILD });
    expect((await accept(child, code!)).waitingFor).toEqual(['organizer', 'guardian']);
    expect(askedFor(child)).toEqual([[guardian.id]]);
    expect(await review(guardian, code!, APPROVED)).toMatchObject({
      status: InviteStatus.WAITING,
      waitingFor: ['organizer'],
    });
    expect(askedFor(child)).toEqual([[guardian.id], [ada.id]]);
    expect(await review(ada, code!, APPROVED)).toMatchObject({ status: InviteStatus.USED });
    expect(await membersOf(group)).toContain(child.id);
  });

  test('still waits for the guardian when an organizer approved first', async () => {
    const { ada, guardian, child, group, code } = await childWaits(bothAsked);
    const approved = { status: InviteStatus.APPROVED, waitingFor: ['guardian'] };
    expect(await review(ada, code, APPROVED)).toMatchObject(approved);
    expect(await review(ada, code, APPROVED)).toMatchObject(approved);
    expect((await list(ada, group)).invites[0]!.status).toBe(InviteStatus.APPROVED);
    expect(askedFor(child)).toEqual([[guardian.id]]);
    expect(await review(guardian, code, DECLINED)).toMatchObject({ status: InviteStatus.DECLINED });
    expect(await membersOf(group)).not.toContain(child.id);
  });

  test('whose guardian is an organizer needs one approval', async () => {
    const { guardian, child } = family();
    const group = await groupOf(guardian, bothAsked);
    const { code } = await invite(guardian, group, { forAge: CHILD });
    await accept(child, code!);
    expect(await review(guardian, code!, APPROVED)).toMatchObject({ status: InviteStatus.USED });
  });

  test("whose guardian was replaced needs the new guardian's approval", async () => {
    const ada = home.newPerson();
    const { guardian, child } = family();
    const other = home.newPerson();
    const group = await groupOf(ada, bothAsked);
    const { code } = await invite(ada, group, { forAge: CHILD });
    await accept(child, code!);
    await review(guardian, code!, APPROVED);
    await home.changePerson(child, { guardians: [other.id] });
    await follows(async () =>
      expect(await review(ada, code!, APPROVED)).toMatchObject({ waitingFor: ['guardian'] }),
    );
    expect(await failure(review(guardian, code!, APPROVED))).toBe('not_found not_found');
    expect(await review(other, code!, APPROVED)).toMatchObject({ status: InviteStatus.USED });
  });

  test.each([
    ['an adults’ group', {}, CHILD, 'minors_not_allowed'],
    ['nobody who guards them', { guardians: [] }, CHILD, 'guardian_needed'],
  ])('cannot join with %s', async (_, more, band, code) => {
    const ada = home.newPerson();
    const { child } = family({ ...more, ageBand: band });
    const group = await groupOf(ada, withGuardian);
    const made = await invite(ada, group, { forAge: band });
    if (code === 'minors_not_allowed')
      await by(ada).updateGroup({ id: group.id, settings: { minors: Minors.NO } });
    expect(await failure(accept(child, made.code!))).toBe(`bad_request ${code}`);
  });

  test('can use only an invite for their age', async () => {
    const ada = home.newPerson();
    const { child } = family();
    const group = await groupOf(ada, withGuardian);
    expect(await failure(accept(child, (await invite(ada, group)).code!))).toBe(
      'bad_request minors_not_allowed',
    );
    const forTeens = await invite(ada, group, { forAge: TEEN13 });
    expect(await failure(accept(child, forTeens.code!))).toBe('bad_request bad_field code');
    expect(await failure(accept(home.newPerson(), forTeens.code!))).toBe('bad_request bad_field code');
  });

  test('is not admitted when the group became adults-only meanwhile', async () => {
    const { ada, guardian, group, code } = await childWaits();
    await by(ada).updateGroup({ id: group.id, settings: { minors: Minors.NO } });
    expect(await failure(review(guardian, code, APPROVED))).toBe('bad_request minors_not_allowed');
    expect(await membersOf(group)).toEqual([ada.id]);
  });
});

test('organizers see waiting children last, under shielded ids, with shortened names and the day only', async () => {
  const [ada, bob] = [home.newPerson(), home.newPerson()];
  const { child } = family();
  const { child: other } = family();
  const group = await groupOf(ada, bothAsked);
  await home.put(group, bob, 'organizer');
  const { code } = await invite(ada, group, { forAge: CHILD, reusable: true });
  await accept(child, code!);
  await accept(other, code!);
  const seen = await Promise.all(
    [ada, bob].map(async (organizer) => {
      const [listed] = (await by(onPages(organizer)).listInvites({ id: group.id })).invites;
      return listed!.waiting;
    }),
  );
  for (const waiting of seen) {
    expect(waiting).toHaveLength(2);
    for (const { person, at } of waiting) {
      expect(person).toMatchObject({ id: expect.stringMatching(/^shp_/), name: 'Ida L.', shielded: true });
      expect(timestampDate(at!).toISOString()).toBe('2026-03-01T00:00:00.000Z');
    }
    expect(waiting.map(({ person }) => person!.id)).toEqual(waiting.map(({ person }) => person!.id).sort());
  }
  const ids = seen.map((waiting) => waiting.map(({ person }) => person!.id));
  expect(new Set(ids.flat()).size).toBe(4);
  expect(await failure(review(bob, code!, DECLINED, { person: ids[0]![0] }))).toBe('not_found not_found');
  expect(await failure(review(ada, code!, DECLINED, { person: per(child) }))).toBe('not_found not_found');
  expect(await review(ada, code!, DECLINED, { person: ids[0]![0] })).toMatchObject({
    status: InviteStatus.DECLINED,
  });
});

describe('a list of what waits for a guardian', () => {
  const waits = async (who: PersonFacts, ...children: PersonFacts[]) =>
    (await by(onPages(who)).listWaitingForGuardian({ children: children.map(({ id }) => id) })).joins;

  test('contains their own children only', async () => {
    const ada = home.newPerson();
    const { guardian, child } = family();
    const other = family();
    const group = await groupOf(ada, bothAsked);
    const { code, id } = await invite(ada, group, { forAge: CHILD });
    const second = await invite(ada, group, { forAge: CHILD });
    await accept(child, code!, { note: 'please' });
    await accept(other.child, second.code!);
    expect(await waits(guardian, child, other.child)).toMatchObject([
      {
        invite: id,
        groupName: group.name,
        join: { person: { id: per(child) }, note: 'please', waitingFor: ['organizer', 'guardian'] },
      },
    ]);
    for (const by of [ada, child]) expect(await waits(by, child)).toEqual([]);
    await review(guardian, id, APPROVED, { person: per(child) });
    expect(await waits(guardian, child)).toEqual([]);
  });

  test('moves to the next guardian', async () => {
    const ada = home.newPerson();
    const { guardian, child } = family();
    const next = home.newPerson();
    const group = await groupOf(ada, bothAsked);
    const { code, id } = await invite(ada, group, { forAge: CHILD });
    await accept(child, code!);
    await review(guardian, id, APPROVED);
    await home.changePerson(child, { guardians: [next.id] });
    await follows(async () =>
      expect(await waits(next, child)).toMatchObject([{ join: { waitingFor: ['organizer', 'guardian'] } }]),
    );
    expect(await waits(guardian, child)).toEqual([]);
  });

  test('omits ended invites and archived groups', async () => {
    const ada = home.newPerson();
    const { guardian, child } = family();
    const [ended, archived] = [await groupOf(ada, withGuardian), await groupOf(ada, withGuardian)];
    const revoked = await invite(ada, ended, { forAge: CHILD });
    await accept(child, revoked.code!);
    await accept(child, (await invite(ada, archived, { forAge: CHILD })).code!);
    expect(await waits(guardian, child)).toHaveLength(2);
    await by(ada).archiveGroup({ id: archived.id });
    expect(await waits(guardian, child)).toMatchObject([{ groupName: ended.name }]);
    home.clock.advance(8 * 24 * 60 * 60_000);
    expect(await waits(guardian, child)).toEqual([]);
  });
});
