import { create } from '@bufbuild/protobuf';
import { sql } from '@hearth/db';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemSchema } from '@hearth/proto/federation/v1/items';
import { type Group, Role } from '@hearth/proto/groups/v1/groups';
import { InviteStatus, JoinStatus } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { failure, follows, receive, startAtTwo } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CHILD, startGroups } from './start-groups.ts';

const { here, there, carry, stop } = await startAtTwo('groups', async (env) => {
  const { events: _, announced: events, ...started } = await startGroups(env);
  return { ...started, events };
});
afterAll(stop);

/** Ada organizes a group here; Ben is of the other home. */
let ada: PersonFacts;
let ben: PersonFacts;
let group: Group;

beforeEach(async () => {
  ada = here.newPerson();
  ben = there.newPerson();
  group = await here.newGroup(ada);
});

const away = ({ handle }: PersonFacts, at = there) => `${handle}@${at.name}`;
const refOf = (id: string) => `r:${here.name}:${id}`;
const gone = async () => {
  await carry(here, there);
  await carry(there, here);
};
/** Waits until the other home sees it as expected. */
const sees = <Seen>(look: () => Promise<Seen>, expected: unknown) =>
  follows(async () => {
    await gone();
    expect(await look()).toMatchObject(expected as object);
  });
const told = async (person: PersonFacts) =>
  (await there.events('groups')).filter(
    ({ data }) => data.case === 'personNotified' && data.value.person === person.id,
  ).length;
const invite = async (to = ben) => {
  const before = await told(to);
  const made = await here.by(ada).createInvite({ id: group.id, to: away(to) });
  await follows(async () => {
    await gone();
    expect(await told(to)).toBe(before + 1);
  });
  return made;
};
const waits = async ({ id }: PersonFacts) =>
  (await there.fromApprovals.listWaitingThings({ viewers: [id], limit: 9 })).things;
const accept = (id: string, who = ben) =>
  carry.during(there, here, there.by(who).acceptInvite({ code: refOf(id) }));
async function join(who = ben, name = group.name) {
  const { id } = await invite(who);
  expect(await accept(id, who)).toMatchObject({ status: JoinStatus.JOINED, group: refOf(group.id) });
  await sees(() => there.by(who).getGroup({ id: refOf(group.id) }), { name });
}

describe('a person of another home', () => {
  test("is invited, joins, and lists the group; the group's home lists them as a member", async () => {
    const { id, delivery } = await invite();
    expect(delivery).toBeUndefined();
    expect(await accept(id)).toMatchObject({
      status: JoinStatus.JOINED,
      group: refOf(group.id),
      member: { person: { id: `@${ben.handle}`, address: `@${ben.handle}` } },
    });
    const { members } = await here.by(ada).listMembers({ id: group.id });
    expect(members.sort((one, other) => one.role - other.role)).toMatchObject([
      { person: { address: `@${ada.handle}` }, role: Role.ORGANIZER },
      { person: { address: away(ben), home: there.name }, role: Role.MEMBER },
    ]);
    const [joined] = (await here.events('groups')).filter(
      ({ data }) => data.case === 'memberJoined' && data.value.via === 'home',
    );
    expect(joined?.data.value).toMatchObject({ person: { handle: ben.handle }, invite: expect.any(String) });
    const address = `${group.address}@${here.name}`;
    await sees(() => there.by(ben).getGroup({ id: refOf(group.id) }), {
      ...{
        id: refOf(group.id),
        address,
        name: group.name,
        yourRole: Role.MEMBER,
        archived: false,
        members: [],
      },
    });
    expect(await there.by(ben).getGroup({ id: address })).toMatchObject({ id: refOf(group.id) });
    expect((await there.by(ben).listGroups({})).groups).toMatchObject([{ id: refOf(group.id) }]);
    // Any of its names finds it, and its AI is returned.
    for (const q of [refOf(group.id), address, group.name, group.name.slice(0, -2).toUpperCase()])
      expect((await there.by(ben).resolveGroup({ q })).group).toMatchObject({
        ...{ id: refOf(group.id), address, yourRole: Role.MEMBER, groupAi: refOf(group.groupAi) },
      });
    const stranger = there.newPerson();
    for (const q of [refOf(group.id), address, group.name])
      expect(await there.by(stranger).resolveGroup({ q })).toMatchObject({ candidates: [] });
    const listed = (await there.by(ben).listMembers({ id: refOf(group.id) })).members;
    expect(listed.sort((one, other) => one.role - other.role)).toMatchObject([
      { person: { address: away(ada, here), handle: ada.handle, home: here.name }, role: Role.ORGANIZER },
      { person: { address: `@${ben.handle}`, handle: ben.handle } },
    ]);
    expect(
      await there.by(ben).checkMembership({ id: refOf(group.id), person: `@${ben.handle}` }),
    ).toMatchObject({ member: true, role: Role.MEMBER, group: refOf(group.id) });
    expect(await failure(there.by(ben).checkMembership({ id: refOf(group.id), person: 'nobody' }))).toBe(
      'not_found not_found',
    );
    expect(
      await there.fromDecisions.findMembership({ group: refOf(group.id), person: ben.id, elsewhere: true }),
    ).toMatchObject({ group: { name: group.name } });
    // The invite has ended at both homes.
    expect((await here.by(ada).listInvites({ id: group.id })).invites).toMatchObject([
      { status: InviteStatus.USED },
    ]);
  });

  test('uses up a second invite to a group once they joined by the first', async () => {
    const [one, other] = [await invite(), await invite()];
    expect(await waits(ben)).toHaveLength(2);
    await accept(one.id);
    await sees(
      async () => (await here.by(ada).listInvites({ id: group.id })).invites,
      [{ status: InviteStatus.USED }, { status: InviteStatus.USED }],
    );
    await sees(() => waits(ben), []);
    expect(await failure(accept(other.id))).toBe('bad_request already_settled');
  });

  test('sees changes of the group, leaves by their own act, and may return', async () => {
    await join();
    await here.by(ada).updateGroup({ id: group.id, name: 'Chess' });
    await sees(() => there.by(ben).getGroup({ id: refOf(group.id) }), { name: 'Chess' });
    const left = there.by(ben).leaveGroup({ id: refOf(group.id), reason: 'No time' });
    expect(await carry.during(there, here, left)).toEqual(expect.objectContaining({ left: true }));
    expect((await here.by(ada).listMembers({ id: group.id })).members).toHaveLength(1);
    await follows(async () => {
      await gone();
      expect(await failure(there.by(ben).getGroup({ id: refOf(group.id) }))).toBe('not_found not_found');
    });
    await join(ben, 'Chess');
    expect((await there.by(ben).listGroups({})).groups).toHaveLength(1);
  });

  test('removed by an organizer sees nothing new', async () => {
    await join();
    await here.by(ada).removeMember({ id: group.id, person: away(ben) });
    await follows(async () => {
      await gone();
      expect(await failure(there.by(ben).getGroup({ id: refOf(group.id) }))).toBe('not_found not_found');
    });
    expect((await there.by(ben).listGroups({})).groups).toEqual([]);
  });

  test('waits for approval where the group reviews new members', async () => {
    group = await here.newGroup(ada, { settings: { joinReview: 3 } });
    const { id } = await invite();
    const asked = () => there.by(ben).findJoinRequest({ code: refOf(id) });
    expect((await asked()).next).toBe('');
    const answer = await accept(id);
    expect(answer).toMatchObject({ status: JoinStatus.WAITING, waitingFor: ['organizer'] });
    expect(await asked()).toEqual(answer);
    expect(await failure(there.by(ben).getGroup({ id: refOf(group.id) }))).toBe('not_found not_found');
    const [approval] = here.approvals.asked.slice(-1);
    expect(approval).toMatchObject({ role: 'organizer' });
    await here.settle(approval!.id, 'approved', ada);
    await sees(() => there.by(ben).getGroup({ id: refOf(group.id) }), { name: group.name });
    await sees(asked, { next: '' });
  });

  test('declines, and the organizer sees it', async () => {
    const { id } = await invite();
    await carry.during(there, here, there.by(ben).withdrawJoin({ code: refOf(id) }));
    expect((await here.by(ada).listInvites({ id: group.id })).invites).toMatchObject([
      { status: InviteStatus.DECLINED, why: 'declined' },
    ]);
  });

  test('is not an organizer and cannot act as one', async () => {
    await join();
    expect(
      await failure(here.by(ada).setRole({ id: group.id, person: away(ben), role: Role.ORGANIZER })),
    ).toBe('bad_request bad_field role');
    for (const call of [
      there.by(ben).archiveGroup({ id: refOf(group.id) }),
      there.by(ben).createInvite({ id: refOf(group.id) }),
    ])
      expect(await failure(call)).toBe('bad_request bad_field id');
    // When the home's last organizer leaves, no remote member succeeds them.
    const left = await here.by(ada).leaveGroup({ id: group.id });
    expect(left.archived).toBe(true);
    await sees(() => there.by(ben).getGroup({ id: refOf(group.id) }), { archived: true });
  });

  test('is not notified of an invite that their rules decline, and the other home learns nothing', async () => {
    there.world.reach.set(ben.id, { how: 'turned_away' });
    const { id } = await here.by(ada).createInvite({ id: group.id, to: away(ben) });
    await follows(async () => expect(await carry(here, there)).toMatchObject([{ decision: 1 }]));
    expect(await failure(there.by(ben).acceptInvite({ code: refOf(id) }))).toBe('not_found not_found');
    expect((await here.by(ada).listInvites({ id: group.id })).invites).toMatchObject([
      { status: InviteStatus.WAITING },
    ]);
  });
});

/** A group state that a home could send. */
const forged = (id: string, object: object, rev = 1n) =>
  create(HomeItemSchema, {
    ...{ type: HomeItemType.STATE, id: refOf(id), rev, home: here.name, to: [`@${ben.handle}`] },
    bodyJson: JSON.stringify({
      kind: 'group',
      object: {
        ...{ id: refOf(id), address: `&club@${here.name}`, name: 'Club' },
        members: [{ person: { id: away(ben), address: away(ben), name: 'Ben' }, role: 'member' }],
        ...object,
      },
    }),
  });

describe('a home that violates the protocol', () => {
  const actOf = async (operation: string) => {
    const acts = (await there.events('groups')).flatMap(({ data }) =>
      data.case === 'itemForHomes' && data.value.bodyJson.includes(`"${operation}"`) ? [data.value.id] : [],
    );
    return acts.at(-1);
  };

  test('cannot keep a person in a group: leaving takes effect at once, even if it refuses or does not answer', async () => {
    for (const answer of [{ status: 403, error: { error: 'Stay.', code: 'no_permission' } }, null]) {
      group = await here.newGroup(ada);
      await join();
      const before = await actOf('leave_group');
      const leaving = there.by(ben).leaveGroup({ id: refOf(group.id) });
      await follows(async () => expect(await actOf('leave_group')).not.toBe(before));
      expect(await failure(there.by(ben).getGroup({ id: refOf(group.id) }))).toBe('not_found not_found');
      const bodyJson = JSON.stringify({ act: `r:${there.name}:${await actOf('leave_group')}`, ...answer });
      if (answer !== null)
        await receive(
          there,
          create(HomeItemSchema, { type: HomeItemType.RESULT, home: here.name, bodyJson }),
        );
      expect(await leaving).toMatchObject({ left: true });
      expect(await receive(there, forged(group.id, {}, 50n))).toMatchObject({ decision: 1 });
      expect((await there.by(ben).listGroups({})).groups).toEqual([]);
    }
  });

  test('cannot add a person whose consent was withdrawn or refused', async () => {
    group = await here.newGroup(ada, { settings: { joinReview: 3 } });
    const { id } = await invite();
    expect(await accept(id)).toMatchObject({ status: JoinStatus.WAITING });
    await carry.during(there, here, there.by(ben).withdrawJoin({ code: refOf(id) }));
    expect(await receive(there, forged(group.id, {}))).toMatchObject({ code: 'no_such_address' });
    expect(await failure(accept(id))).toBe('bad_request not_waiting');
    expect(await receive(there, forged(group.id, {}, 2n))).toMatchObject({ code: 'no_such_address' });
  });

  test('cannot add a person whose consent it refuses, even long after the caller was answered', async () => {
    group = await here.newGroup(ada);
    const { id } = await invite();
    expect(await there.by(ben).acceptInvite({ code: refOf(id) })).toMatchObject({ pending: true });
    expect(await there.by(ben).findJoinRequest({ code: refOf(id) })).toMatchObject({ pending: true });
    const bodyJson = JSON.stringify({
      ...{ act: `r:${there.name}:${await actOf('accept_invite')}`, status: 403 },
      error: { error: 'No.', code: 'no_permission' },
    });
    await receive(there, create(HomeItemSchema, { type: HomeItemType.RESULT, home: here.name, bodyJson }));
    expect((await there.by(ben).findJoinRequest({ code: refOf(id) })).next).toBe('');
    expect(await receive(there, forged(group.id, {}))).toMatchObject({ code: 'no_such_address' });
  });

  test('can speak only about its own groups', async () => {
    await join();
    for (const address of [`&club@${there.name}`, '&club@else.example', `club@${here.name}`])
      expect(await receive(there, forged(group.id, { address }, 90n))).toMatchObject({ code: 'schema' });
    expect(await receive(there, forged(group.id, { name: 'x'.repeat(400) }, 90n))).toMatchObject({
      code: 'schema',
    });
  });

  test('may number its states with any value', async () => {
    await join();
    await receive(there, forged(group.id, { name: 'Far' }, 2n ** 50n));
    expect((await there.by(ben).listGroups({})).groups).toMatchObject([{ name: 'Far' }]);
    await receive(there, forged(group.id, { name: 'Near' }, 2n ** 50n - 1n));
    expect((await there.by(ben).listGroups({})).groups).toMatchObject([{ name: 'Far' }]);
  });
});

test('updates names of members, and omits members who turn out to be minors', async () => {
  const cleo = here.newPerson({ name: 'Cleo' });
  await here.put(group, cleo);
  await join();
  const names = async () =>
    (await there.by(ben).listMembers({ id: refOf(group.id) })).members.flatMap(({ person }) =>
      person?.address === `@${ben.handle}` ? [] : person?.name,
    );
  const becomes = (expected: string[]) =>
    follows(async () => {
      await gone();
      expect((await names()).sort()).toEqual([ada.name, ...expected].sort());
    });
  await becomes(['Cleo']);
  await here.changePerson(cleo, { name: 'Cleopatra' });
  await becomes(['Cleopatra']);
  await here.changePerson(cleo, { ageBand: CHILD });
  await becomes([]);
});

test('a person who deletes their account leaves the groups of other homes', async () => {
  await join();
  await there.fromIdentity.dropPerson({ person: ben.id });
  await there.deletePerson(ben);
  // They never agreed to it, so nothing is announced.
  const left = (await there.events('groups')).flatMap(({ data }) =>
    data.case === 'itemForHomes' && data.value.bodyJson.includes('"leave_group"') ? [data.value] : [],
  );
  expect(JSON.parse(left.at(-1)!.bodyJson)).toMatchObject({ by: 'rule', proof: 'key', via: 'home' });
  await sees(() => here.by(ada).listMembers({ id: group.id }), {
    members: [{ person: { id: expect.any(String) } }],
  });
  expect((await here.by(ada).listMembers({ id: group.id })).members).toHaveLength(1);
  expect(
    await there.fromMessages.findMembership({ group: refOf(group.id), person: ben.id, elsewhere: true }),
  ).toEqual(expect.not.objectContaining({ group: expect.anything() }));
});

test('a person who turns out to be under 18 leaves groups of other homes and needs a new invite', async () => {
  await join();
  there.world.changePerson(ben, { ageBand: CHILD });
  await there.publish({ case: 'personChanged', value: { person: { id: ben.id, minor: true } } });
  await follows(async () => expect((await there.by(ben).listGroups({})).groups).toEqual([]));
});

test('the number of members from other homes is limited by what their homes can be sent', async () => {
  const full = here.newPerson();
  for (let n = 0; n < 100; n += 1) {
    const person = here.newPerson();
    await here.put(group, person);
    await here.run(sql`update groups.members set home = 'else.example' where person = ${person.id}`);
  }
  await here.put(group, full);
  const { id } = await invite();
  expect(await failure(accept(id))).toBe('bad_request cap_reached');
});

test('a person whose home reports them as deleted is no longer a member', async () => {
  const cleo = there.newPerson();
  await join(cleo);
  const members = async () => (await here.by(ada).listMembers({ id: group.id })).members.length;
  expect(await members()).toBe(2);
  const { id } = here.world.parties.get(away(cleo))!;
  await here.publish({ case: 'partyGone', value: { party: id! } });
  await follows(async () => expect(await members()).toBe(1));
});

test('a restored home continues after its earlier messages', async () => {
  await join();
  for (const name of ['One', 'Two', 'Three']) {
    await here.by(ada).updateGroup({ id: group.id, name });
    await sees(() => there.by(ben).getGroup({ id: refOf(group.id) }), { name });
  }
  await here.run(sql`update groups.home_states set rev = 0, digest = null`);
  here.clock.advance(5_000);
  await here.by(ada).updateGroup({ id: group.id, name: 'Restored' });
  await sees(() => there.by(ben).getGroup({ id: refOf(group.id) }), { name: 'Restored' });
});

describe('another home that was set up again under its name', () => {
  const anew = (at: typeof here, home: string) =>
    at.publish({ case: 'otherHomeChanged', value: { home, change: 'began_anew' } });
  const states = async () =>
    (await here.events('groups')).filter(
      ({ data }) => data.case === 'itemForHomes' && data.value.type === HomeItemType.STATE,
    ).length;

  test('its former people leave all groups, their invites end, and it receives no state', async () => {
    const cleo = there.newPerson();
    await invite(cleo);
    await join();
    const { members } = await here.by(ada).listMembers({ id: group.id });
    const parties = [...here.world.parties.values()].map(({ id }) => id ?? '');
    expect(members).toHaveLength(2);
    const before = await states();
    const anewParties = { case: 'partiesBeganAnew', value: { home: there.name, parties } } as const;
    const { at } = await here.publish(anewParties);
    await follows(async () => {
      expect((await here.by(ada).listMembers({ id: group.id })).members).toHaveLength(1);
      expect(
        (await here.by(ada).listInvites({ id: group.id, status: InviteStatus.WAITING })).invites,
      ).toEqual([]);
    });
    await here.by(ada).updateGroup({ id: group.id, name: 'Ours alone' });
    expect(await states()).toBe(before);
    // Members of the new home stay when the event is redelivered.
    here.clock.advance(1);
    await join(ben, 'Ours alone');
    await here.publish(anewParties, { at: at! });
    expect((await here.by(ada).listMembers({ id: group.id })).members).toHaveLength(2);
  });

  test('people of this home leave its former groups', async () => {
    await join();
    await anew(there, here.name);
    await follows(async () => expect((await there.by(ben).listGroups({})).groups).toEqual([]));
    expect(await receive(there, forged(group.id, {}, 90n))).toMatchObject({ code: 'no_such_address' });
  });
});

test('minors are neither mentioned to another home nor invited there', async () => {
  const child = here.newPerson({ ageBand: CHILD, guardians: [ada.id], name: 'Kit Quill' });
  await join();
  await here.put(group, child);
  await here.by(ada).updateGroup({ id: group.id, name: 'Family' });
  await sees(() => there.by(ben).getGroup({ id: refOf(group.id) }), { name: 'Family' });
  const bodies = (await here.events('groups')).flatMap(({ data }) =>
    data.case === 'itemForHomes' ? [`${data.value.bodyJson}`] : [],
  );
  for (const secret of ['Kit', child.handle, child.id, child.id.replaceAll('-', '')])
    expect(bodies.join()).not.toContain(secret);
  const kid = there.newPerson({ ageBand: CHILD, guardians: [ben.id] });
  const { id } = await here.by(ada).createInvite({ id: group.id, to: away(kid) });
  // The new name may still be on its way to invites, beside this one.
  const carried: unknown[] = [];
  await follows(async () => {
    carried.push(...(await carry(here, there)));
    expect(carried).toContainEqual(expect.objectContaining({ code: 'no_such_address' }));
  });
  expect(await failure(there.by(kid).acceptInvite({ code: refOf(id) }))).toBe('not_found not_found');
});

test('a home cannot add people to a group by itself, nor invite in another name', async () => {
  const state = (kind: string, id: string, object: object, from = '') =>
    create(HomeItemSchema, {
      ...{ type: HomeItemType.STATE, id: refOf(id), rev: 1n, home: here.name, to: [`@${ben.handle}`], from },
      senderJson: from === '' ? '' : JSON.stringify({ id: 'per_1', kind: 'person', name: 'Eve' }),
      bodyJson: JSON.stringify({ kind, object: { id: refOf(id), ...object } }),
    });
  const forged = {
    address: `&club@${here.name}`,
    name: 'Club',
    members: [{ person: { id: away(ben), address: away(ben), name: 'Ben' }, role: 'member' }],
  };
  expect(await receive(there, state('group', 'grp_1', forged))).toMatchObject({ code: 'no_such_address' });
  const object = {
    group: { id: refOf('grp_1'), name: 'Club', address: `&club@${here.name}` },
    invited_by: `eve@${here.name}`,
    status: 'waiting',
    created_at: '2026-03-01T12:00:00Z',
    expires_at: '2026-03-02T12:00:00Z',
  };
  const from = `eve@${here.name}`;
  for (const bad of [
    { ...object, invited_by: `ada@${here.name}` },
    { ...object, group: { ...object.group, id: 'r:else.example:grp_1' } },
    { ...object, group: undefined },
  ])
    expect(await receive(there, state('invite', 'inv_1', bad, from))).toMatchObject({ code: 'schema' });
  expect(await receive(there, state('invite', 'inv_1', object))).toMatchObject({ code: 'schema' });
  const two = { ...state('invite', 'inv_1', object, from), to: [`@${ben.handle}`, '@who-else'] };
  expect(await receive(there, two)).toMatchObject({ code: 'schema', path: 'to' });
  const crowd = Array.from({ length: 101 }, (_, at) => {
    const address = `m${at + 100}@${here.name}`;
    return { person: { id: address, address, name: 'M' }, role: 'member' };
  });
  expect(await receive(there, state('group', 'grp_1', { ...forged, members: crowd }))).toMatchObject({
    ...{ code: 'schema', path: 'body.object.members' },
  });
  expect(await receive(there, state('invite', 'inv_1', object, from), { left: 0 })).toMatchObject({
    code: 'first_contact',
  });
});

test('a child of this home whom a reader knows under a shielded id stays shielded in a group of another home', async () => {
  await join();
  const kid = there.newPerson({ ageBand: CHILD, guardians: [there.newPerson().id], app: there.uuid() });
  const club = await there.newGroup(ben);
  await there.put(club, kid);
  const { members } = await there.by(ben).listMembers({ id: club.id });
  const person = members.find((member) => member.person?.shielded)!.person!.id;
  expect(await there.by(ben).checkMembership({ id: refOf(group.id), person })).toMatchObject({
    member: false,
    person,
  });
});

test('a home cannot list a person of this home as a member who did not join', async () => {
  await join();
  const eve = there.newPerson();
  const [ours, forged] = [away(ben), away(eve)];
  const object = {
    ...{ id: refOf(group.id), address: `${group.address}@${here.name}`, name: 'Go' },
    members: [away(ada, here), ours, forged].map((address) => ({
      person: { id: address, address, name: 'Ada' },
      role: 'member',
    })),
  };
  const item = create(HomeItemSchema, {
    ...{ type: HomeItemType.STATE, id: refOf(group.id), rev: 9_000_000_000n, home: here.name },
    ...{ to: [`@${ben.handle}`], bodyJson: JSON.stringify({ kind: 'group', object }) },
  });
  expect((await receive(there, item)).code).toBe('');
  const by = there.by(ben);
  expect(await by.getGroup({ id: refOf(group.id) })).toMatchObject({ name: 'Go' });
  const { members } = await by.listMembers({ id: refOf(group.id) });
  expect(members.map((member) => member.person?.address).sort()).toEqual([`@${ben.handle}`, away(ada, here)]);
  expect(await by.checkMembership({ id: refOf(group.id), person: `@${eve.handle}` })).toMatchObject({
    member: false,
  });
});
