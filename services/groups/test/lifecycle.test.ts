import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Group, JoinReview, Minors, Plans } from '@hearth/proto/groups/v1/groups';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  aiOf,
  appAlone,
  as,
  CHILD,
  groupAi,
  operator,
  per,
  startGroups,
  TEEN13,
  TEEN16,
} from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

const day = 86_400_000;
const notFound = { kind: 'not_found' };
const isArchived = { kind: 'bad_request', details: { code: 'archived' } };
const inDays = (days: number) => timestampFromDate(new Date(home.clock.now() + days * day));

describe('update_group', () => {
  test('changes what is given, keeps the rest, and says what changed', async () => {
    const ada = home.newPerson();
    const made = await home.newGroup(ada);
    const update = (fields: object) =>
      home.client.updateGroup({ id: made.id, ...fields }, { caller: as(ada) });
    const { group } = await update({ name: 'Reading circle', settings: { plans: Plans.NEVER } });
    expect(group).toMatchObject({
      name: 'Reading circle',
      address: made.address,
      settings: { ...made.settings, plans: Plans.NEVER },
      timeZone: made.timeZone,
    });
    const endsAt = inDays(10);
    expect((await update({ endsAt, timeZone: 'utc' })).group).toMatchObject({ endsAt, timeZone: 'UTC' });
    // Nothing changes, so nothing is announced.
    await update({ name: 'Reading circle', endsAt, timeZone: 'UTC', settings: { plans: Plans.NEVER } });
    await update({});
    const told = (await home.events(made)).slice(1).map(({ data }) => data.value);
    expect(told).toMatchObject([
      { changed: ['name', 'settings'], seq: 2n, group: { name: 'Reading circle' } },
      { changed: ['ends_at', 'time_zone'], seq: 3n },
    ]);
  });

  test.each([
    [{ settings: { consentAge: 15 } }, 'settings.consent_age'],
    [{ settings: { minors: Minors.TEENS, consentAge: 13 } }, 'settings.consent_age'],
    [{ endsAt: { seconds: 1n } }, 'ends_at'],
    [{ endsAt: { seconds: 9_000_000_000n } }, 'ends_at'],
    [{ timeZone: 'Nowhere' }, 'time_zone'],
  ])('refuses %j', async (fields, field) => {
    const ada = home.newPerson();
    const { id } = await home.newGroup(ada);
    await expect(home.client.updateGroup({ id, ...fields }, { caller: as(ada) })).rejects.toMatchObject({
      details: { code: 'bad_field', field },
    });
  });

  test('asks for the law where the organizer lives only when it is about that', async () => {
    const [ada, ben] = [home.newPerson({ consentAge: 13 }), home.newPerson({ consentAge: 15 })];
    const group = await home.newGroup(ada, { settings: { minors: Minors.TEENS, consentAge: 13 } });
    await home.put(group, ben, 'organizer');
    const update = (settings: object) =>
      home.client.updateGroup({ id: group.id, settings }, { caller: as(ben) });
    expect((await update({ joinReview: JoinReview.ALL })).group?.settings).toMatchObject({ consentAge: 13 });
    await expect(update({ consentAge: 13 })).rejects.toMatchObject({ details: { code: 'bad_field' } });
  });

  test('removes nobody when it gets stricter, and says who no longer fits', async () => {
    const [ada, gus] = [home.newPerson(), home.newPerson()];
    const group = await home.newGroup(ada, { settings: { minors: Minors.TEENS } });
    const kit = home.newPerson({ ageBand: CHILD, guardians: [gus.id] });
    const tom = home.newPerson({ ageBand: TEEN16 });
    const tim = home.newPerson({ ageBand: TEEN13, app: home.uuid() });
    await home.put(group, kit, 'member', gus.id);
    await home.put(group, tom);
    await home.put(group, tim, 'member', gus.id);
    const stricter = async (settings: object) => {
      const answer = await home.client.updateGroup({ id: group.id, settings }, { caller: as(ada) });
      return answer.noLongerFit.map(({ person }) => (person?.shielded ? 'shielded' : person?.id)).sort();
    };
    expect(await stricter({ joinReview: JoinReview.ALL })).toEqual([]);
    // Tom joined by himself.
    expect(await stricter({ minors: Minors.GUARDIAN })).toEqual([per(tom)]);
    expect(await stricter({ minors: Minors.NO })).toEqual([per(kit), per(tom), 'shielded'].sort());
    expect((await home.client.listMembers({ id: group.id }, { caller: as(ada) })).members).toHaveLength(4);
    // Another change of the name lists no one.
    const answer = await home.client.updateGroup({ id: group.id, name: 'New' }, { caller: as(ada) });
    expect(answer.noLongerFit).toEqual([]);
  });

  test('is for organizers', async () => {
    const [ada, ben, eve] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = await home.newGroup(ada);
    await home.put(group, ben);
    const update = (caller: ReturnType<typeof as>) =>
      home.client.updateGroup({ id: group.id, name: 'Mine' }, { caller });
    await expect(update(as(ben))).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(update(groupAi(group))).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(update(as(eve))).rejects.toMatchObject(notFound);
    await expect(update(appAlone(home.app))).rejects.toMatchObject({ kind: 'bad_request' });
    expect((await update(aiOf(ada, home.uuid()))).group?.name).toBe('Mine');
  });
});

describe('archive_group and restore_group', () => {
  const call = (
    name: 'archiveGroup' | 'restoreGroup' | 'endGroup',
    group: Group,
    caller: ReturnType<typeof as>,
  ) => home.client[name]({ id: group.id }, { caller });

  test('archive, so that nothing changes any more, and the same organizer takes it back', async () => {
    const [ada, ben, cleo] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = await home.newGroup(ada);
    await home.put(group, ben, 'organizer');
    await home.put(group, cleo);
    await expect(call('archiveGroup', group, as(cleo))).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await call('archiveGroup', group, as(ada))).toMatchObject({ archived: true, yourRole: 1 });
    await expect(call('archiveGroup', group, as(ada))).rejects.toMatchObject(isArchived);
    await expect(call('endGroup', group, as(ada))).rejects.toMatchObject(isArchived);
    const caller = as(ada);
    await expect(home.client.updateGroup({ id: group.id, name: 'x' }, { caller })).rejects.toMatchObject(
      isArchived,
    );
    await expect(
      home.client.setRole({ id: group.id, person: per(cleo), role: 1 }, { caller }),
    ).rejects.toMatchObject(isArchived);
    await expect(call('restoreGroup', group, as(ben))).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(call('restoreGroup', group, as(cleo))).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(call('restoreGroup', group, as(home.newPerson()))).rejects.toMatchObject(notFound);
    home.clock.advance(30 * day);
    expect(await call('restoreGroup', group, as(ada))).toMatchObject({ archived: false });
    await expect(call('restoreGroup', group, as(ada))).rejects.toMatchObject({
      kind: 'bad_request',
      message: 'this group is not archived',
    });
    const told = (await home.events(group)).slice(1).map(({ data }) => [data.case, data.value]);
    expect(told).toMatchObject([
      ['groupArchived', { why: 'organizer_archived', seq: 2n }],
      ['groupUpdated', { changed: ['archived'], seq: 3n }],
    ]);
  });

  test('can be taken back for thirty days', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada);
    await call('archiveGroup', group, as(ada));
    home.clock.advance(30 * day + 1);
    await expect(call('restoreGroup', group, as(ada))).rejects.toMatchObject(isArchived);
  });

  test('end_group is for good', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada, { endsAt: inDays(5) });
    const now = timestampFromDate(new Date(home.clock.now()));
    expect(await call('endGroup', group, as(ada))).toMatchObject({ archived: true, endsAt: now });
    await expect(call('restoreGroup', group, as(ada))).rejects.toMatchObject({
      ...isArchived,
      message: expect.stringContaining('ended'),
    });
    expect((await home.events(group)).at(-1)?.data).toMatchObject({
      case: 'groupArchived',
      value: { why: 'ended' },
    });
  });

  test('an end that came while it was archived is an end', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada, { endsAt: inDays(2) });
    await call('archiveGroup', group, as(ada));
    home.clock.advance(3 * day);
    await expect(call('restoreGroup', group, as(ada))).rejects.toMatchObject({
      message: expect.stringContaining('ended'),
    });
  });
});

describe('ends_at', () => {
  test('is kept at once for whoever looks, and by the job once', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const groups: Group[] = [];
    for (let index = 0; index < 3; index += 1) groups.push(await home.newGroup(ada, { endsAt: inDays(1) }));
    const [group] = groups as [Group];
    await home.put(group, ben);
    const caller = as(ada);
    home.clock.advance(day);
    expect(await home.client.getGroup({ id: group.id }, { caller })).toMatchObject({ archived: true });
    await expect(home.client.updateGroup({ id: group.id, name: 'x' }, { caller })).rejects.toMatchObject(
      isArchived,
    );
    await expect(home.client.archiveGroup({ id: group.id }, { caller })).rejects.toMatchObject(isArchived);
    await expect(home.client.restoreGroup({ id: group.id }, { caller })).rejects.toMatchObject(isArchived);
    // Two processes at once.
    await Promise.all([home.archiveEnded(), home.archiveEnded()]);
    await home.archiveEnded();
    for (const each of groups) {
      const [event, ...others] = (await home.events(each)).slice(1);
      expect(others).toEqual([]);
      expect(event?.by).toBeUndefined();
      expect(event?.data).toMatchObject({ case: 'groupArchived', value: { why: 'ended', seq: 2n } });
    }
    const shown = await home.client.getGroup({ id: group.id }, { caller });
    expect([shown.archived, timestampDate(shown.endsAt!).getTime()]).toEqual([true, home.clock.now()]);
  });
});

describe('delete_group', () => {
  const remove = (group: Pick<Group, 'id'>, caller = operator) =>
    home.client.deleteGroup({ id: group.id }, { caller });

  test('deletes a group that nobody is in, and keeps its handle', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const group = await home.newGroup(ada, { name: 'Throwaway' });
    await home.put(group, ben);
    const child = await home.newGroup(ada, { name: 'Child', parent: group.id });
    await expect(remove(group)).rejects.toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining('2 people are in this group'),
    });
    await home.client.removeMember({ id: group.id, person: per(ben) }, { caller: as(ada) });
    await home.client.leaveGroup({ id: group.id, confirmArchive: true }, { caller: as(ada) });
    expect(await remove({ id: group.address })).toMatchObject({ deleted: true });
    await expect(remove(group)).rejects.toMatchObject(notFound);
    expect((await home.events(group)).at(-1)?.data).toMatchObject({
      case: 'groupDeleted',
      value: { group: { name: 'Throwaway' }, apps: [home.app], seq: 5n },
    });
    expect((await home.client.getGroup({ id: child.id }, { caller: as(ada) })).parent).toBeUndefined();
    expect((await home.newGroup(ada, { name: 'Throwaway' })).address).toBe('&throwaway-2');
  });

  test('is for the operator', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada);
    await home.client.leaveGroup({ id: group.id, confirmArchive: true }, { caller: as(ada) });
    await expect(remove(group, as(ada))).rejects.toMatchObject({ kind: 'forbidden' });
    for (const id of ['grp_x', `grp_${'0'.repeat(32)}`, '&nobody', ''])
      await expect(remove({ id })).rejects.toMatchObject(notFound);
  });
});
