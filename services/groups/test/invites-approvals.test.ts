import { type Group, JoinReview, Minors } from '@hearth/proto/groups/v1/groups';
import { ReviewDecision } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, describe, expect, test } from '@jest/globals';
import { eventually } from './eventually.ts';
import { invitesOf, onPages } from './invites.ts';
import { as, CHILD, startGroups, uuidOf } from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

const { accept, invite, list, membersOf, review } = invitesOf(home);
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
  await eventually(async () => expect(await membersOf(group)).toContain(person.id));
}

/** Every event before this has been consumed: a join request that settles after it has its effect. */
async function consumed(): Promise<void> {
  const { approval, organizer, group, joiner } = await waiting();
  await home.settle(approval, 'approved', organizer);
  await isMember(group, joiner);
}

describe('the approval of a wish to join', () => {
  test('asks every organizer, once, with what was written', async () => {
    const { organizer, group, joiner, code, invite: id, approval } = await waiting();
    expect(uuidOf((await accept(joiner, code)).approval!)).toBe(approval);
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

  test('lets somebody in when it is approved, however often that is told', async () => {
    const { organizer, group, joiner, approval } = await waiting();
    for (let times = 0; times < 3; times += 1) await home.settle(approval, 'approved', organizer);
    await isMember(group, joiner);
    await consumed();
    const joined = (await home.events(group)).filter(({ data }) => data.case === 'memberJoined');
    expect(joined).toHaveLength(1);
    expect([settledOf(approval), home.approvals.cancelled.includes(approval)]).toEqual([[], false]);
  });

  test('turns somebody down when it is declined', async () => {
    const { organizer, group, joiner, approval, code } = await waiting();
    await home.settle(approval, 'declined', organizer);
    await eventually(async () => expect((await list(organizer, group)).invites[0]!.why).toBe('declined'));
    await expect(accept(joiner, code)).rejects.toMatchObject({ kind: 'bad_request' });
  });

  test('counts for nothing by who is no organizer any more: those who are now are asked', async () => {
    const { organizer, group, joiner, approval } = await waiting();
    const second = home.newPerson();
    await home.put(group, second, 'organizer');
    await home.client.setRole(
      { id: group.id, person: `@${organizer.handle}`, role: 2 },
      { caller: as(second) },
    );
    await home.settle(approval, 'approved', organizer);
    const asks = await eventually(async () => {
      expect(askedOf(joiner)).toHaveLength(2);
      return askedOf(joiner);
    });
    expect(asks[1]).toMatchObject({ to: [second.id] });
    expect(await membersOf(group)).not.toContain(joiner.id);
    await home.settle(asks[1]!.id, 'approved', second);
    await isMember(group, joiner);
  });

  test('is asked anew when all who were asked are gone', async () => {
    const { joiner, approval } = await waiting();
    await home.settle(approval, 'declined');
    await eventually(async () => expect(askedOf(joiner)).toHaveLength(2));
    expect(askedOf(joiner)[1]!.id).not.toBe(approval);
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

  test('is cancelled when it is withdrawn, revoked, expired or its joiner gone', async () => {
    const [one, two, three, four] = [await waiting(), await waiting(), await waiting(), await waiting()];
    await home.invites.withdrawJoin({ code: one.code }, { caller: onPages(one.joiner) });
    expect(home.approvals.cancelled).toContain(one.approval);
    await home.invites.revokeInvite({ code: two.code }, { caller: onPages(two.organizer) });
    expect(home.approvals.cancelled).toContain(two.approval);
    await home.deletePerson(three.joiner);
    await eventually(async () => expect(home.approvals.cancelled).toContain(three.approval), 15_000);
    home.clock.advance(40 * 86_400_000);
    await home.expireInvites();
    await eventually(async () => expect(home.approvals.cancelled).toContain(four.approval), 15_000);
  }, 40_000);

  test('takes the wish back when the joiner cancels it', async () => {
    const { organizer, group, joiner, approval } = await waiting();
    await home.settle(approval, 'cancelled', joiner);
    await eventually(async () => expect((await list(organizer, group)).invites[0]!.why).toBe('withdrawn'));
  });

  test('is asked for later when approvals is away, and not lost', async () => {
    home.peers.away('approvals');
    const { organizer, joiner, code, approval } = await waiting();
    expect(askedOf(joiner)).toEqual([]);
    await review(organizer, code, DECLINED);
    home.peers.back('approvals');
    home.clock.advance(3_600_000);
    await eventually(async () => expect(settledOf(approval)).toHaveLength(1), 15_000);
    expect(askedOf(joiner)).toEqual([]);

    home.peers.away('approvals');
    const other = await waiting();
    home.peers.back('approvals');
    home.clock.advance(3_600_000);
    await eventually(async () => expect(askedOf(other.joiner)).toHaveLength(1), 15_000);
    expect(askedOf(other.joiner)[0]!.id).toBe(other.approval);
  }, 40_000);
});

test('of a child the guardian is asked first, then the organizers', async () => {
  const guardian = home.newPerson();
  const child = home.newPerson({ ageBand: CHILD, guardians: [guardian.id] });
  const settings = { minors: Minors.GUARDIAN, joinReview: JoinReview.ALL };
  const { organizer, group, approval } = await waiting(settings, child, { forAge: CHILD });
  expect(askedOf(child)).toMatchObject([{ id: approval, to: [guardian.id], role: 'guardian' }]);
  await home.settle(approval, 'approved', guardian);
  await eventually(async () => expect(askedOf(child)).toHaveLength(2));
  const second = askedOf(child)[1]!;
  expect(second).toMatchObject({ to: [organizer.id], role: 'organizer' });
  expect(await membersOf(group)).not.toContain(child.id);
  await home.settle(second.id, 'approved', organizer);
  await isMember(group, child);
});
