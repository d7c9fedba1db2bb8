import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Group, JoinReview, Minors, Plans } from '@hearth/proto/groups/v1/groups';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  aiOf,
  appAlone,
  as,
  CHILD,
  failure,
  groupAi,
  operator,
  per,
  startGroups,
  TEEN13,
  TEEN16,
} from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

const { by, club } = home;

const day = 86_400_000;
const _notFound = { kind: 'not_found' };
const isArchived = { kind: 'bad_request', details: { code: 'archived' } };
const inDays = (days: number) => timestampFromDate(new Date(home.clock.now() + days * day));

describe('update_group', () => {
  test('changes the given fields, keeps the rest, and reports the changes', async () => {
    const { group: made, ada } = await club();
    const update = (fields: object) => by(ada).updateGroup({ id: made.id, ...fields });
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
    expect(await failure(by(ada).updateGroup({ id, ...fields }))).toBe(`bad_request bad_field ${field}`);
  });

  test('checks the age of consent only when the change concerns it', async () => {
    const [ada, ben] = [home.newPerson({ consentAge: 13 }), home.newPerson({ consentAge: 15 })];
    const group = await home.newGroup(ada, { settings: { minors: Minors.TEENS, consentAge: 13 } });
    await home.put(group, ben, 'organizer');
    const update = (settings: object) => by(ben).updateGroup({ id: group.id, settings });
    expect((await update({ joinReview: JoinReview.ALL })).group?.settings).toMatchObject({ consentAge: 13 });
    expect(await failure(update({ consentAge: 13 }))).toBe('bad_request bad_field settings.consent_age');
  });

  test('removes no member when settings become stricter, and lists members who no longer fit', async () => {
    const { group, ada, gus } = await club({ settings: { minors: Minors.TEENS } });
    const kit = home.newPerson({ ageBand: CHILD, guardians: [gus.id] });
    const tom = home.newPerson({ ageBand: TEEN16 });
    const tim = home.newPerson({ ageBand: TEEN13, app: home.uuid() });
    await home.put(group, kit, 'member', gus.id);
    await home.put(group, tom);
    await home.put(group, tim, 'member', gus.id);
    const stricter = async (settings: object) => {
      const answer = await by(ada).updateGroup({ id: group.id, settings });
      return answer.noLongerFit.map(({ person }) => (person?.shielded ? 'shielded' : person?.id)).sort();
    };
    expect(await stricter({ joinReview: JoinReview.ALL })).toEqual([]);
    // Tom joined on his own.
    expect(await stricter({ minors: Minors.GUARDIAN })).toEqual([per(tom)]);
    expect(await stricter({ minors: Minors.NO })).toEqual([per(kit), per(tom), 'shielded'].sort());
    expect((await by(ada).listMembers({ id: group.id })).members).toHaveLength(4);
    // Another rename lists no one.
    const answer = await by(ada).updateGroup({ id: group.id, name: 'New' });
    expect(answer.noLongerFit).toEqual([]);
  });

  test('is for organizers', async () => {
    const { group, ada, ben, eve } = await club({ members: ['ben'] });
    const update = (caller: ReturnType<typeof as>) => by(caller).updateGroup({ id: group.id, name: 'Mine' });
    expect(await failure(update(as(ben)))).toBe('forbidden no_permission');
    expect(await failure(update(groupAi(group)))).toBe('forbidden no_permission');
    expect(await failure(update(as(eve)))).toBe('not_found not_found');
    expect(await failure(update(appAlone(home.app)))).toBe('bad_request bad_field Svc-Acting-For');
    expect((await update(aiOf(ada, home.uuid()))).group?.name).toBe('Mine');
  });
});

describe('archive_group and restore_group', () => {
  const call = (
    name: 'archiveGroup' | 'restoreGroup' | 'endGroup',
    group: Group,
    caller: ReturnType<typeof as>,
  ) => by(caller)[name]({ id: group.id });

  test('freeze the group, and only the same organizer restores it', async () => {
    const { group, ada, ben, cleo } = await club({ organizers: ['ben'] });
    await home.put(group, cleo);
    expect(await failure(call('archiveGroup', group, as(cleo)))).toBe('forbidden no_permission');
    expect(await call('archiveGroup', group, as(ada))).toMatchObject({ archived: true, yourRole: 1 });
    expect(await failure(call('archiveGroup', group, as(ada)))).toBe('bad_request archived');
    expect(await failure(call('endGroup', group, as(ada)))).toBe('bad_request archived');
    const caller = as(ada);
    expect(await failure(by(caller).updateGroup({ id: group.id, name: 'x' }))).toBe('bad_request archived');
    expect(await failure(by(caller).setRole({ id: group.id, person: per(cleo), role: 1 }))).toBe(
      'bad_request archived',
    );
    expect(await failure(call('restoreGroup', group, as(ben)))).toBe('forbidden no_permission');
    expect(await failure(call('restoreGroup', group, as(cleo)))).toBe('forbidden no_permission');
    expect(await failure(call('restoreGroup', group, as(home.newPerson())))).toBe('not_found not_found');
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

  test('end_group is for good', async () => {
    const { group, ada } = await club({ endsAt: inDays(5) });
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

  test('an end date that passes while archived takes effect', async () => {
    const { group, ada } = await club({ endsAt: inDays(2) });
    await call('archiveGroup', group, as(ada));
    home.clock.advance(3 * day);
    await expect(call('restoreGroup', group, as(ada))).rejects.toMatchObject({
      message: expect.stringContaining('ended'),
    });
  });
});

describe('ends_at', () => {
  test('takes effect at once for every reader, and once in the job', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const groups: Group[] = [];
    for (let index = 0; index < 3; index += 1) groups.push(await home.newGroup(ada, { endsAt: inDays(1) }));
    const [group] = groups as [Group];
    await home.put(group, ben);
    const caller = as(ada);
    home.clock.advance(day);
    expect(await by(caller).getGroup({ id: group.id })).toMatchObject({ archived: true });
    expect(await failure(by(caller).updateGroup({ id: group.id, name: 'x' }))).toBe('bad_request archived');
    expect(await failure(by(caller).archiveGroup({ id: group.id }))).toBe('bad_request archived');
    expect(await failure(by(caller).restoreGroup({ id: group.id }))).toBe('bad_request archived');
    // Two processes at once.
    await Promise.all([home.archiveEnded(), home.archiveEnded()]);
    await home.archiveEnded();
    for (const each of groups) {
      const [event, ...others] = (await home.events(each)).slice(1);
      expect(others).toEqual([]);
      expect(event?.by).toBeUndefined();
      expect(event?.data).toMatchObject({ case: 'groupArchived', value: { why: 'ended', seq: 2n } });
    }
    const shown = await by(caller).getGroup({ id: group.id });
    expect([shown.archived, timestampDate(shown.endsAt!).getTime()]).toEqual([true, home.clock.now()]);
  });
});

describe('delete_group', () => {
  const remove = (group: Pick<Group, 'id'>, caller = operator) => by(caller).deleteGroup({ id: group.id });

  test('deletes a group without members, and keeps its handle', async () => {
    const { group, ada, ben } = await club({ members: ['ben'], name: 'Throwaway' });
    const child = await home.newGroup(ada, { name: 'Child', parent: group.id });
    await expect(remove(group)).rejects.toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining('2 people are in this group'),
    });
    await by(ada).removeMember({ id: group.id, person: per(ben) });
    await by(ada).leaveGroup({ id: group.id });
    expect(await remove({ id: group.address })).toMatchObject({ deleted: true });
    expect(await failure(remove(group))).toBe('not_found not_found');
    expect((await home.events(group)).at(-1)?.data).toMatchObject({
      case: 'groupDeleted',
      value: { group: { name: 'Throwaway' }, apps: [home.app], seq: 5n },
    });
    expect((await by(ada).getGroup({ id: child.id })).parent).toBeUndefined();
    expect((await home.newGroup(ada, { name: 'Throwaway' })).address).toBe('&throwaway-2');
  });

  test('is for the operator', async () => {
    const { group, ada } = await club();
    await by(ada).leaveGroup({ id: group.id });
    expect(await failure(remove(group, as(ada)))).toBe('forbidden no_permission');
    for (const id of ['grp_x', `grp_${'0'.repeat(32)}`, '&nobody', ''])
      expect(await failure(remove({ id }))).toBe('not_found not_found');
  });
});
