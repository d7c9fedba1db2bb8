import { type Group, JoinReview, Minors } from '@hearth/proto/groups/v1/groups';
import { JoinStatus, ReviewDecision } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ADULT, CHILD, failure, follows, onPages, startGroups, TEEN16, uuidOf } from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

const { accept, invite, list, membersOf, review, by } = home;
const { APPROVED, DECLINED } = ReviewDecision;
const reviewed = { joinReview: JoinReview.ALL };

/** A joiner who waits for an organizer. */
async function waiting(settings: object = reviewed, joiner = home.newPerson(), link: object = {}) {
  const organizer = home.newPerson();
  const group = await home.newGroup(organizer, { settings });
  const { code, id } = await invite(organizer, group, { itemRef: 'trip-1', ...link });
  const { approval } = await accept(joiner, code!, { note: 'please' });
  return { organizer, group, joiner, code: code!, invite: uuidOf(id), approval: uuidOf(approval!) };
}

const askedOf = (person: PersonFacts) => home.approvals.asked.filter((ask) => ask.person === person.id);
const settledOf = (approval: string) => home.approvals.settled.filter(({ id }) => id === approval);

async function isMember(group: Group, person: PersonFacts): Promise<void> {
  await follows(async () => expect(await membersOf(group)).toContain(person.id));
}

/** Waits until every earlier event has been consumed: a join request that settles afterwards has its effect. */
async function consumed(): Promise<void> {
  const { approval, organizer, group, joiner } = await waiting();
  await home.settle(approval, 'approved', organizer);
  await isMember(group, joiner);
}

describe('the approval of a join request', () => {
  test("asks every organizer once, with the request's text", async () => {
    const { organizer, group, joiner, code, invite: id, approval } = await waiting();
    const again = await accept(joiner, code);
    expect(uuidOf(again.approval!)).toBe(approval);
    expect(await by(onPages(joiner)).findJoinRequest({ code })).toEqual(again);
    expect((await by(onPages(organizer)).findJoinRequest({ code })).next).toBe('');
    expect(askedOf(joiner)).toMatchObject([
      {
        id: approval,
        group: uuidOf(group.id),
        invite: id,
        person: joiner.id,
        to: [organizer.id],
        role: 'organizer',
        note: 'please',
        itemRef: 'trip-1',
      },
    ]);
    expect(Number(askedOf(joiner)[0]!.expiresAt!.seconds) * 1_000).toBeGreaterThan(home.clock.now());
  });

  test('admits the person once approved, however often the result is delivered', async () => {
    const { organizer, group, joiner, approval } = await waiting();
    for (let times = 0; times < 3; times += 1) await home.settle(approval, 'approved', organizer);
    await isMember(group, joiner);
    await consumed();
    const joined = (await home.events(group)).filter(({ data }) => data.case === 'memberJoined');
    expect(joined).toHaveLength(1);
    expect([settledOf(approval), home.approvals.cancelled.includes(approval)]).toEqual([[], false]);
  });

  test('rejects the person when declined', async () => {
    const { organizer, group, joiner, approval, code } = await waiting();
    await home.settle(approval, 'declined', organizer);
    await follows(async () => expect((await list(organizer, group)).invites[0]!.why).toBe('declined'));
    expect(await failure(accept(joiner, code))).toBe('bad_request not_waiting');
  });

  test('ignores answers of former organizers, and asks current ones', async () => {
    const { organizer, group, joiner, approval } = await waiting();
    const second = home.newPerson();
    await home.put(group, second, 'organizer');
    await by(second).setRole({ id: group.id, person: `@${organizer.handle}`, role: 2 });
    await home.settle(approval, 'approved', organizer);
    const asks = await follows(async () => {
      // The same ask is sent again if its answer was lost; it keeps its id.
      const others = askedOf(joiner).filter(({ id }) => id !== approval);
      expect(new Set(others.map(({ id }) => id)).size).toBe(1);
      return others;
    });
    expect(asks[0]).toMatchObject({ to: [second.id] });
    expect(await membersOf(group)).not.toContain(joiner.id);
    await home.settle(asks[0]!.id, 'approved', second);
    await isMember(group, joiner);
  });

  test('is requested from those who are organizers or guardians now', async () => {
    const { organizer, group, joiner, approval } = await waiting();
    const second = home.newPerson();
    await home.put(group, second, 'organizer');
    await by(second).setRole({ id: group.id, person: `@${organizer.handle}`, role: 2 });
    await follows(async () =>
      expect(askedOf(joiner).at(-1)).toMatchObject({ id: approval, to: [second.id] }),
    );
    const [first, next] = [home.newPerson(), home.newPerson()];
    const child = home.newPerson({ ageBand: CHILD, guardians: [first.id] });
    await waiting({ minors: Minors.GUARDIAN }, child, { forAge: CHILD });
    home.world.changePerson(child, { guardians: [first.id, next.id] });
    await home.publish({ case: 'personChanged', value: { person: { id: child.id }, changed: ['guardian'] } });
    await follows(async () => expect(askedOf(child).at(-1)).toMatchObject({ to: [first.id, next.id] }));
  });

  test('ends with an archived group and notifies the joiner, who waits again after a restore', async () => {
    const name = home.newName();
    const [organizer, joiner, later] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = await home.newGroup(organizer, { name, settings: reviewed });
    const { code } = await invite(organizer, group, { reusable: true });
    const { approval } = await accept(joiner, code!);
    const { approval: waits } = await accept(home.newPerson(), (await invite(organizer, group)).code!);
    await by(organizer).archiveGroup({ id: group.id });
    await follows(async () =>
      expect(home.approvals.cancelled).toEqual(expect.arrayContaining([uuidOf(approval!), uuidOf(waits!)])),
    );
    const archived = (await home.events(group)).find(({ data }) => data.case === 'groupArchived')!;
    const told = async () =>
      (await home.events()).flatMap(({ data }) =>
        data.case === 'personNotified' && data.value.title.includes(name) ? [data.value.title] : [],
      );
    const title = `Your request to join ${name} has ended`;
    await follows(async () => expect(await told()).toEqual([title, title]));
    home.clock.advance(1_000);
    await by(organizer).restoreGroup({ id: group.id });
    expect((await list(organizer, group)).invites.flatMap((one) => one.waiting)).toEqual([]);
    await accept(joiner, code!);
    const { approval: anew } = await accept(later, code!);
    // The archive event is redelivered.
    await home.publishAll([archived]);
    expect((await list(organizer, group)).invites.flatMap((one) => one.waiting)).toHaveLength(2);
    expect(home.approvals.cancelled).not.toContain(uuidOf(anew!));
  });

  test('is requested again when everyone asked is deleted', async () => {
    const { joiner, approval } = await waiting();
    await home.settle(approval, 'declined');
    await follows(async () => expect(askedOf(joiner)).toHaveLength(2));
    expect(askedOf(joiner)[1]!.id).not.toBe(approval);
  });

  test('is ignored when the approver had no authority at signing, and requested again', async () => {
    const { organizer, group, joiner, approval } = await waiting();
    for (let times = 0; times < 2; times += 1)
      await home.settle(approval, 'approved', organizer, '', 'no_say');
    await follows(async () => expect(askedOf(joiner)).toHaveLength(2));
    expect(await membersOf(group)).not.toContain(joiner.id);
    await home.settle(askedOf(joiner)[1]!.id, 'approved', organizer);
    await isMember(group, joiner);
  });

  test('admits no person whose account was deleted before signing', async () => {
    const { organizer, group, joiner, approval } = await waiting();
    await home.settle(approval, 'approved', organizer, '', 'asker_gone');
    await consumed();
    expect(await membersOf(group)).not.toContain(joiner.id);
    expect(askedOf(joiner)).toHaveLength(1);
  });

  test('is settled by review_invite', async () => {
    for (const decision of [APPROVED, DECLINED]) {
      const { organizer, code, approval } = await waiting();
      await review(organizer, code, decision, { note: 'so be it' });
      expect(settledOf(approval)).toMatchObject([
        { approved: decision === APPROVED, by: organizer.id, note: 'so be it' },
      ]);
    }
  });

  test('is cancelled when the request is withdrawn, revoked, expired or its joiner deleted', async () => {
    const [one, two, three, four] = [await waiting(), await waiting(), await waiting(), await waiting()];
    await by(onPages(one.joiner)).withdrawJoin({ code: one.code });
    expect(home.approvals.cancelled).toContain(one.approval);
    await by(onPages(two.organizer)).revokeInvite({ code: two.code });
    expect(home.approvals.cancelled).toContain(two.approval);
    await home.deletePerson(three.joiner);
    await follows(async () => expect(home.approvals.cancelled).toContain(three.approval));
    home.clock.advance(40 * 86_400_000);
    await home.expireInvites();
    await follows(async () => expect(home.approvals.cancelled).toContain(four.approval));
  });

  test('withdraws the request when the joiner cancels it', async () => {
    const { organizer, group, joiner, approval } = await waiting();
    await home.settle(approval, 'cancelled', joiner);
    await follows(async () => expect((await list(organizer, group)).invites[0]!.why).toBe('withdrawn'));
  });

  test('is deferred while approvals is unavailable, and not lost', async () => {
    home.peers.away('approvals');
    const { organizer, joiner, code, approval } = await waiting();
    expect(askedOf(joiner)).toEqual([]);
    await review(organizer, code, DECLINED);
    home.peers.back('approvals');
    home.clock.advance(3_600_000);
    await follows(async () => expect(settledOf(approval)).toHaveLength(1));
    expect(askedOf(joiner)).toEqual([]);

    home.peers.away('approvals');
    const other = await waiting();
    home.peers.back('approvals');
    home.clock.advance(3_600_000);
    await follows(async () => expect(askedOf(other.joiner)).toHaveLength(1));
    expect(askedOf(other.joiner)[0]!.id).toBe(other.approval);
  });
});

test('an approval for a child asks the guardian first, then the organizers', async () => {
  const guardian = home.newPerson();
  const child = home.newPerson({ ageBand: CHILD, guardians: [guardian.id] });
  const settings = { minors: Minors.GUARDIAN, joinReview: JoinReview.ALL };
  const { organizer, group, approval } = await waiting(settings, child, { forAge: CHILD });
  expect(askedOf(child)).toMatchObject([{ id: approval, to: [guardian.id], role: 'guardian' }]);
  await home.settle(approval, 'approved', guardian);
  await follows(async () => expect(askedOf(child)).toHaveLength(2));
  const second = askedOf(child)[1]!;
  expect(second).toMatchObject({ to: [organizer.id], role: 'organizer' });
  expect(await membersOf(group)).not.toContain(child.id);
  await home.settle(second.id, 'approved', organizer);
  await isMember(group, child);
});

describe('a joiner who needs fewer approvals by now', () => {
  const settings = { minors: Minors.GUARDIAN, joinReview: JoinReview.NONE };

  async function teenWaits(rules: object = settings) {
    const guardian = home.newPerson();
    const teen = home.newPerson({ ageBand: TEEN16, guardians: [guardian.id] });
    return { guardian, teen, ...(await waiting(rules, teen, { forAge: TEEN16 })) };
  }

  test('is admitted when the last approver is deleted, and is notified', async () => {
    const { teen, group, approval } = await teenWaits();
    await home.changePerson(teen, { ageBand: ADULT, guardians: [] });
    await home.settle(approval, 'declined');
    await isMember(group, teen);
    expect(askedOf(teen)).toHaveLength(1);
    expect(await home.notices(group.name)).toContainEqual(
      expect.objectContaining({ person: teen.id, title: `You’re in ${group.name} now` }),
    );
  });

  test('is admitted at once when they return, and nobody else is asked', async () => {
    const { teen, group, approval, code } = await teenWaits();
    await home.changePerson(teen, { ageBand: ADULT, guardians: [] });
    await follows(async () => expect(await accept(teen, code)).toMatchObject({ status: JoinStatus.JOINED }));
    expect(await membersOf(group)).toContain(teen.id);
    expect(home.approvals.cancelled).toContain(approval);
  });

  test('still needs the organizers where they review', async () => {
    const { organizer, teen, code } = await teenWaits({ ...settings, joinReview: JoinReview.ALL });
    await home.changePerson(teen, { ageBand: ADULT, guardians: [] });
    await follows(async () => expect(await accept(teen, code)).toMatchObject({ waitingFor: ['organizer'] }));
    expect(askedOf(teen).map(({ to }) => to[0])).toEqual([expect.anything(), organizer.id]);
  });

  test('is rejected when no guardian is left to approve', async () => {
    const { organizer, teen, group, approval, code } = await teenWaits();
    await home.changePerson(teen, { guardians: [] });
    await home.settle(approval, 'declined');
    await follows(async () => expect((await list(organizer, group)).invites[0]!.why).toBe('cannot_join'));
    expect(await failure(accept(teen, code))).toBe('bad_request not_waiting');
    expect(askedOf(teen)).toHaveLength(1);
  });

  test('is admitted by a guardian who accepts for them', async () => {
    const { guardian, teen, group, code } = await teenWaits();
    const answer = await accept(guardian, code, { for: `@${teen.handle}` });
    expect(answer).toMatchObject({ status: JoinStatus.JOINED });
    expect(await membersOf(group)).toContain(teen.id);
  });
});
