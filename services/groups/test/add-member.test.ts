import { readLimits } from '@hearth/limits';
import { type Group, Minors } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, describe, expect, test } from '@jest/globals';
import { addMember, type HowJoined } from '../src/groups/actions/add-member.ts';
import { lockGroup } from '../src/groups/db/groups.ts';
import { as, CHILD, failure, per, startGroups, TEEN16, uuidOf } from './start-groups.ts';

const limits = readLimits({ group_members: 4, groups_a_person: 2 }, { homeName: 'hearth.example' });

const home = await startGroups();
afterAll(() => home.stop());

const { by, club } = home;

/** Returns null for a member. */
function add(group: Group, person: PersonFacts, how: Partial<HowJoined> = {}): Promise<true | null> {
  return home.host('groups').commit(async (tx) => {
    const row = await lockGroup(tx, uuidOf(group.id));
    const joined = { role: 'member', via: 'link', by: as(person), ...how } as const;
    return (await addMember({ clock: home.clock, limits }, tx, row!, person, joined)) || null;
  });
}

describe('adding a member', () => {
  test('announces the member once to the apps of all members', async () => {
    const ben = home.newPerson({ app: home.uuid() });
    const group = await home.newGroup(home.newPerson());
    const invite = home.uuid();
    expect(await add(group, ben, { via: 'code', invite, itemRef: 'item 7' })).not.toBeNull();
    expect(await add(group, ben)).toBeNull();
    const told = (await home.events(group)).slice(1);
    expect(told).toMatchObject([
      {
        by: { person: ben.id },
        topics: [`groups:${ben.id}`],
        data: {
          case: 'memberJoined',
          value: {
            person: { id: ben.id, name: ben.name, minor: false },
            role: 'member',
            via: 'code',
            invite,
            itemRef: 'item 7',
            seq: 2n,
            apps: [home.app, ben.app],
          },
        },
      },
    ]);
  });

  test("applies the group's current settings", async () => {
    const adults = await home.newGroup(home.newPerson());
    const family = await home.newGroup(home.newPerson(), { settings: { minors: Minors.GUARDIAN } });
    const teens = await home.newGroup(home.newPerson(), { settings: { minors: Minors.TEENS } });
    const gus = home.newPerson();
    const kit = home.newPerson({ ageBand: CHILD, guardians: [gus.id], name: 'Kit Quillfeather' });
    const tom = home.newPerson({ ageBand: TEEN16 });
    const guardian = gus.id;
    expect(await failure(add(adults, kit, { guardian }))).toBe('bad_request minors_not_allowed');
    expect(await failure(add(family, kit))).toBe('bad_request guardian_needed');
    expect(await failure(add(family, tom))).toBe('bad_request guardian_needed');
    await add(family, kit, { guardian });
    await add(teens, tom);
    expect((await home.events(family)).at(-1)?.data.value).toMatchObject({
      person: { name: 'Kit Q.', handle: '', minor: true },
    });
    expect((await by(kit).listGroups({})).groups).toMatchObject([{ id: family.id, hasMinors: true }]);
  });

  test('refuses a group that is archived or has just ended', async () => {
    const { group, ada, ben } = await club();
    await by(ada).archiveGroup({ id: group.id });
    const endsAt = { seconds: BigInt(home.clock.now() / 1_000) + 1n, nanos: 0 };
    const oneOff = await home.newGroup(ada, { endsAt });
    home.clock.advance(1_000);
    for (const archived of [group, oneOff]) {
      expect(await failure(add(archived, ben))).toBe('bad_request archived');
    }
  });

  test('enforces the maximum of members under concurrency', async () => {
    const group = await home.newGroup(home.newPerson());
    const people = Array.from({ length: 6 }, () => home.newPerson());
    const all = await Promise.allSettled(people.map((person) => add(group, person)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const refused = all.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ details: { code: 'cap_reached', limit: 'group_members' } });
  });

  test('enforces the maximum of groups per person under concurrency', async () => {
    const ben = home.newPerson();
    const groups = await Promise.all(Array.from({ length: 5 }, () => home.newGroup(home.newPerson())));
    const all = await Promise.allSettled(groups.map((group) => add(group, ben)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const refused = all.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ details: { code: 'cap_reached', limit: 'groups_a_person' } });
    const { groups: theirs } = await by(ben).listGroups({});
    expect(theirs).toHaveLength(2);
    expect(theirs.every(({ createdBy }) => createdBy !== per(ben))).toBe(true);
  });
});
