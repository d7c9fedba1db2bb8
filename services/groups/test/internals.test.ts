import { printId } from '@hearth/ids';
import { Minors, Role } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ADULT, CHILD, failure, follows, operator, per, startGroups, uuidOf } from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

const { by, club } = home;

const options = { caller: operator };

describe('internal look-ups', () => {
  test('list_group_ids returns every group of a person', async () => {
    const { group: first, ada } = await club({ name: 'First' });
    home.clock.advance(1_000);
    const second = await home.newGroup(ada, { name: 'Second' });
    await by(ada).archiveGroup({ id: first.id });
    const { groups } = await home.fromIdentity.listGroupIds({ person: ada.id });
    expect(groups).toMatchObject([
      {
        id: uuidOf(second.id),
        address: second.address,
        name: 'Second',
        role: Role.ORGANIZER,
        archived: false,
      },
      { id: uuidOf(first.id), name: 'First', archived: true },
    ]);
    expect((await home.fromIdentity.listGroupIds({ person: '' })).groups).toEqual([]);
  });

  test('share_group answers each pair in order, for active groups only', async () => {
    const { group, ada, ben, cleo, dan } = await club({ members: ['ben'] });
    const old = await home.newGroup(ada);
    await home.put(old, cleo);
    const share = async (...pairs: [string, string][]) =>
      (await home.fromMessages.shareGroup({ pairs: pairs.map(([one, other]) => ({ one, other })) })).share;
    expect(
      await share(
        [ada.id, ben.id],
        [ben.id, ada.id],
        [ada.id, dan.id],
        ['', ada.id],
        [ada.id, ada.id],
        [ada.id, cleo.id],
        [ben.id, cleo.id],
        ['not a uuid', 'not a uuid'],
      ),
    ).toEqual([true, true, false, false, true, true, false, false]);
    await by(ada).archiveGroup({ id: old.id });
    expect(await share([ada.id, cleo.id], [ada.id, ben.id])).toEqual([false, true]);
    expect(await share()).toEqual([]);
    const { shared } = await home.fromMessages.shareGroup({
      pairs: [
        { one: ada.id, other: ben.id },
        { one: ada.id, other: cleo.id },
        { one: ada.id, other: ada.id },
      ],
    });
    expect(shared.map(({ groups }) => groups)).toEqual([[uuidOf(group.id)], [], []]);
    const many = Array.from({ length: 501 }, (): [string, string] => [ada.id, ben.id]);
    expect(await failure(share(...many))).toBe('bad_request bad_field pairs');
    expect(await share(...many.slice(1))).toEqual(Array(500).fill(true));
  });

  test("find_membership accepts the name of one of the person's groups, and lists all groups of that name", async () => {
    const ada = home.newPerson();
    const [one, other] = [
      await home.newGroup(ada, { name: 'Rowing' }),
      await home.newGroup(ada, { name: 'Rowing' }),
    ];
    const alone = await home.newGroup(ada, { name: 'Chess Club' });
    await home.newGroup(home.newPerson(), { name: 'Chess Club' });
    const find = (group: string) => home.fromMessages.findMembership({ group, person: ada.id });
    expect((await find('chess club')).group?.id).toBe(uuidOf(alone.id));
    const several = await find('Rowing');
    expect([several.group, several.candidates.toSorted()]).toEqual([
      undefined,
      [one.address, other.address].toSorted(),
    ]);
    expect((await find('Sailing')).group).toBeUndefined();
  });

  test('find_membership returns the requested number of members, longest-standing first, like list_roster', async () => {
    const { group, ada, ben } = await club({ members: ['ben'] });
    const find = (ref: string, person: string, roster: number) =>
      home.fromMessages.findMembership({ group: ref, person, roster });
    const found = await Promise.all([
      find(group.address, ada.id, 1),
      find(group.id, ben.id, 9),
      find(group.id, ben.id, 0),
      find(group.id, home.newPerson().id, 9),
    ]);
    const { members: all } = await home.fromDecisions.listRoster({ group: uuidOf(group.id), limit: 9 });
    expect(all.length).toBeGreaterThan(1);
    expect(found.map(({ members }) => members)).toEqual([all.slice(0, 1), all, [], []]);
    expect(found.map(({ role }) => role)).toEqual([
      Role.ORGANIZER,
      Role.MEMBER,
      Role.MEMBER,
      Role.UNSPECIFIED,
    ]);
  });

  test('find_membership accepts a uuid, an id or an address', async () => {
    const { group, ada, ben } = await club({ settings: { minors: Minors.GUARDIAN } });
    const find = (ref: string, person = ada.id) => home.fromMessages.findMembership({ group: ref, person });
    for (const ref of [uuidOf(group.id), group.id, group.address]) {
      expect(await find(ref)).toMatchObject({
        role: Role.ORGANIZER,
        group: {
          id: uuidOf(group.id),
          handle: group.address.slice(1),
          app: home.app,
          archived: false,
          hasMinors: false,
          timeZone: 'Europe/Zurich',
          settings: { minors: Minors.GUARDIAN },
        },
      });
      expect((await find(ref, ben.id)).group).toBeUndefined();
      expect((await find(ref)).candidates).toEqual([]);
    }
    for (const [ref, person] of [
      ['', ada.id],
      ['nothing', ada.id],
      [group.id, ''],
      [group.id, per(ada)],
    ] as const)
      expect((await find(ref, person)).group).toBeUndefined();
  });

  test('find_groups resolves ids, then handles, in order', async () => {
    const ada = home.newPerson();
    const [one, two] = [await home.newGroup(ada), await home.newGroup(ada)];
    const { results } = await home.fromIdentity.findGroups({
      ids: [uuidOf(two.id), home.uuid(), 'x'],
      handles: ['nobody', one.address.slice(1), two.address.slice(1)],
    });
    expect(results.map(({ group }) => group?.id)).toEqual([
      uuidOf(two.id),
      undefined,
      undefined,
      undefined,
      uuidOf(one.id),
      uuidOf(two.id),
    ]);
  });

  test('are for services only', async () => {
    expect(await failure(home.fromMessages.dropPerson({ person: home.uuid() }, options))).toBe(
      'forbidden no_permission',
    );
    expect(await failure(home.client.shareGroup({ pairs: [] }, options))).toBe('forbidden no_permission');
  });
});

describe('drop_person', () => {
  const drop = (person: PersonFacts) => home.fromIdentity.dropPerson({ person: person.id });

  test('removes a person, and the longest-standing adult succeeds an only organizer', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const kit = home.newPerson({ ageBand: CHILD });
    const led = await home.newGroup(ada);
    await home.put(led, kit);
    home.clock.advance(1_000);
    await home.put(led, ben);
    home.clock.advance(1_000);
    await home.put(led, cleo);
    const shared = await home.newGroup(ada);
    await home.put(shared, cleo, 'organizer');
    const alone = await home.newGroup(ada);
    await home.put(alone, kit);
    const other = await home.newGroup(cleo);
    await home.put(other, ada);

    const answer = await drop(ada);
    expect(answer.organizers).toMatchObject([{ group: uuidOf(led.id), person: ben.id }]);
    expect(answer.archived).toEqual([uuidOf(alone.id)]);
    expect(answer.apps).toEqual([home.app]);
    // A repeated call returns the same and does nothing.
    const before = (await home.events()).length;
    expect(await drop(ada)).toEqual(answer);
    expect(await home.events()).toHaveLength(before);

    expect((await home.events(led)).slice(1)).toMatchObject([
      { data: { case: 'roleChanged', value: { person: { id: ben.id, name: ben.name }, role: 'organizer' } } },
      { data: { case: 'memberLeft', value: { person: { id: ada.id } } } },
    ]);
    expect((await home.events(shared)).slice(1).map(({ data }) => data.case)).toEqual(['memberLeft']);
    expect((await home.events(alone)).slice(1).map(({ data }) => data.case)).toEqual([
      'groupArchived',
      'memberLeft',
    ]);
    const check = await by(ben).getGroup({ id: led.id });
    expect(check).toMatchObject({ yourRole: Role.ORGANIZER, archived: false, createdBy: per(ada) });
  });

  test('ignores a person without groups, and refuses an invalid id', async () => {
    expect(await drop(home.newPerson())).toMatchObject({ organizers: [], archived: [], apps: [] });
    expect(await failure(home.fromIdentity.dropPerson({ person: '' }))).toBe('bad_request bad_field person');
  });

  test('two organizers who leave concurrently pass the group to the next member', async () => {
    const { group, ada, ben, cleo } = await club({ organizers: ['ben'] });
    await home.put(group, cleo);
    const [one, other] = await Promise.all([drop(ada), drop(ben)]);
    expect([...one.organizers, ...other.organizers]).toMatchObject([
      { group: uuidOf(group.id), person: cleo.id },
    ]);
    expect(await by(cleo).getGroup({ id: group.id })).toMatchObject({ yourRole: Role.ORGANIZER });
  });

  test('an ended group gets no new organizer', async () => {
    const { group, ada } = await club({ members: ['ben'] });
    await by(ada).endGroup({ id: group.id });
    expect(await drop(ada)).toMatchObject({ organizers: [], archived: [] });
  });
});

describe('events about people', () => {
  test('keep age bands and apps of members up to date', async () => {
    const ada = home.newPerson();
    const kit = home.newPerson({ ageBand: CHILD });
    const group = await home.newGroup(ada);
    await home.put(group, kit);
    const look = () => by(ada).getGroup({ id: group.id });
    expect((await look()).hasMinors).toBe(true);
    const next = home.uuid();
    await home.changePerson(kit, { ageBand: ADULT, app: next });
    await follows(async () => expect((await look()).hasMinors).toBe(false));
    await by(ada).updateGroup({ id: group.id, name: 'Told' });
    expect((await home.events(group)).at(-1)?.data.value).toMatchObject({ apps: [home.app, next] });
  });

  test('an organizer who turns out to be under 18 steps down, and another member succeeds', async () => {
    const { group, ada, ben, lone } = await club({ members: ['ben'] });
    await home.changePerson(ada, { ageBand: CHILD });
    await follows(async () =>
      expect(await by(ben).getGroup({ id: group.id })).toMatchObject({
        yourRole: Role.ORGANIZER,
        hasMinors: true,
      }),
    );
    // Their own id is no longer shown to every viewer.
    const { createdBy } = await by(ben).getGroup({ id: group.id });
    expect(createdBy).toBeUndefined();
    expect(await by(ada).getGroup({ id: group.id })).toMatchObject({ yourRole: Role.MEMBER });
    const alone = await home.newGroup(lone);
    await home.changePerson(lone, { ageBand: CHILD });
    await follows(async () =>
      expect(await by(lone).getGroup({ id: alone.id })).toMatchObject({
        archived: true,
        yourRole: Role.MEMBER,
      }),
    );
  });

  test('a deleted person leaves every group, even one joined after the deletion was handled', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    await home.fromIdentity.dropPerson({ person: ben.id });
    const group = await home.newGroup(ada);
    await home.put(group, ben);
    await home.deletePerson(ben);
    await follows(async () =>
      expect((await home.events(group)).at(-1)?.data).toMatchObject({
        case: 'memberLeft',
        value: { person: { id: ben.id, name: '' } },
      }),
    );
    expect(printId('per', ben.id)).toBe(per(ben));
  });
});
