import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { unavailable } from '@hearth/errors';
import { JoinReview, Minors, Plans, Role } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  aiOf,
  appAlone,
  as,
  CHILD,
  failure,
  groupAi,
  onPages,
  per,
  startGroups,
  TEEN16,
  uuidOf,
} from './start-groups.ts';

const home = await startGroups({ HEARTH_LIMITS: JSON.stringify({ groups_a_person: 60 }) });
afterAll(() => home.stop());

const { by, club } = home;

describe('create_group', () => {
  test('is announced, and requests a group AI', async () => {
    const ada = home.newPerson();
    const group = await by(ada).createGroup({ name: 'Chess on Fridays' });
    expect(home.peers.requestsOf(AisService.method.ensureGroupAi).at(-1)).toMatchObject({
      ai: uuidOf(group.groupAi),
      group: uuidOf(group.id),
      handle: 'chess-on-fridays',
      name: 'Chess on Fridays',
      app: home.app,
    });
    const [event, ...others] = await home.events(group);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      by: { person: ada.id, app: home.app },
      data: {
        case: 'groupCreated',
        value: { groupAi: uuidOf(group.groupAi), person: ada.id, apps: [home.app], seq: 1n },
      },
    });
    expect(await by(ada).getGroup({ id: group.id })).toEqual(group);
  });

  test('also notifies the app that holds the organizer', async () => {
    const other = home.uuid();
    const ada = home.newPerson({ app: other });
    const group = await by(as(ada, home.app)).createGroup({ name: 'Two apps' });
    const [event] = await home.events(group);
    expect(event?.data.value).toMatchObject({ apps: [home.app, other] });
  });

  test('takes settings, an end, a time zone and a parent', async () => {
    const { group: parent, ada } = await club();
    const endsAt = timestampFromDate(new Date(home.clock.now() + 86_400_000));
    const group = await home.newGroup(ada, {
      settings: { minors: Minors.TEENS, joinReview: JoinReview.ALL, groupAi: false, plans: Plans.ASK },
      endsAt,
      parent: parent.address,
      timeZone: 'america/new_york',
    });
    expect(group).toMatchObject({
      settings: {
        minors: Minors.TEENS,
        consentAge: 16,
        joinReview: JoinReview.ALL,
        groupAi: false,
        plans: Plans.ASK,
      },
      endsAt,
      parent: parent.id,
      timeZone: 'America/New_York',
    });
  });

  test.each([
    ['13 or 16', { settings: { consentAge: 14 } }, 'settings.consent_age'],
    ['13 or 16', { settings: { consentAge: 0 } }, 'settings.consent_age'],
    ['from 16 years on', { settings: { minors: Minors.TEENS, consentAge: 13 } }, 'settings.consent_age'],
    ['in the future', { endsAt: { seconds: 1_700_000_000n } }, 'ends_at'],
    ['at most 1826 days', { endsAt: { seconds: 2_000_000_000n } }, 'ends_at'],
    ['IANA', { timeZone: 'Mars/Olympus' }, 'time_zone'],
    ['IANA', { timeZone: '+02:00' }, 'time_zone'],
  ])('refuses invalid settings: %s %j', async (words, fields, field) => {
    const ada = home.newPerson();
    const making = home.newGroup(ada, fields);
    await expect(making).rejects.toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining(words),
      details: { code: 'bad_field', field },
    });
  });

  test('admits teenagers from 13 where the law allows it', async () => {
    const ada = home.newPerson({ consentAge: 13 });
    const group = await home.newGroup(ada, { settings: { minors: Minors.TEENS, consentAge: 13 } });
    expect(group.settings).toMatchObject({ minors: Minors.TEENS, consentAge: 13 });
  });

  test("accepts one of the person's own groups as parent, and no other", async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const parent = await home.newGroup(ben);
    for (const wrong of [parent.id, parent.address, '&nobody', 'grp_x', 'Book club', '@person-1']) {
      expect(await failure(home.newGroup(ada, { parent: wrong }))).toBe('not_found not_found');
    }
  });

  test.each([CHILD, TEEN16])('is refused to people of age band %i', async (ageBand) => {
    const kit = home.newPerson({ ageBand });
    expect(await failure(home.newGroup(kit))).toBe('forbidden minors_not_allowed');
  });

  test('requires apps to name a person, or an AI of that person', async () => {
    const ada = home.newPerson();
    const create = (caller: ReturnType<typeof as>) => by(caller).createGroup({ name: 'Whose?' });
    await expect(create(appAlone(home.app))).rejects.toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining('Svc-Acting-For'),
    });
    expect(await failure(create(aiOf(ada, home.uuid())))).toBe('forbidden no_permission');
    const group = await create({ ...aiOf(ada, home.uuid()), app: home.app });
    expect(group).toMatchObject({ createdBy: per(ada), yourRole: Role.ORGANIZER });
    expect(await failure(create({ ...groupAi(group), app: home.app }))).toBe('forbidden no_permission');
  });

  test("is allowed for a person with a sign-in on the home's pages, and the group has no app", async () => {
    const ada = home.newPerson({ app: '' });
    const group = await by(onPages(ada)).createGroup({ name: 'Without an app' });
    expect(group).toMatchObject({ createdBy: per(ada), yourRole: Role.ORGANIZER });
    expect(group.app).toBeUndefined();
    const [event] = await home.events(group);
    expect(event?.data.value).toMatchObject({ apps: [], group: { app: '' } });
    expect(await by(onPages(ada)).getGroup({ id: group.address })).toEqual(group);
    const { results } = await home.fromIdentity.findGroups({ ids: [uuidOf(group.id)], withApps: true });
    expect(results).toMatchObject([{ group: { app: '', apps: [] } }]);
    const guest = { ...onPages(ada), guest: true };
    expect(await failure(by(guest).createGroup({ name: 'As a guest' }))).toBe('forbidden no_permission');
  });

  test('numbers a taken handle, even when its group is deleted', async () => {
    const ada = home.newPerson();
    const made = async (name: string) => (await home.newGroup(ada, { name })).address;
    expect([await made('Über uns'), await made('uber uns'), await made('ÜBER UNS!')]).toEqual([
      '&uber-uns',
      '&uber-uns-2',
      '&uber-uns-3',
    ]);
    expect([await made('日本'), await made('QA'), await made('Staff'), await made('free-time')]).toEqual([
      '&group',
      '&group-qa',
      '&group-staff',
      '&group-free-time',
    ]);
    // Another group already has the next number.
    expect([await made('Tango 2'), await made('Tango'), await made('Tango')]).toEqual([
      '&tango-2',
      '&tango',
      '&tango-3',
    ]);
    expect(await made('A name that is far longer than thirty')).toMatch(/^&[a-z0-9-]{3,30}$/);
  });

  test('gives different handles to groups of the same name created concurrently', async () => {
    const people = Array.from({ length: 8 }, () => home.newPerson());
    const made = await Promise.all(people.map((person) => home.newGroup(person, { name: 'At once' })));
    expect(new Set(made.map(({ address }) => address)).size).toBe(8);
  });

  test('succeeds when the group AI cannot be created yet', async () => {
    home.peers.fail(AisService.method.ensureGroupAi, unavailable('identity is away'));
    try {
      const group = await home.newGroup(home.newPerson(), { name: 'Without AI yet' });
      expect(group.groupAi).toMatch(/^ai_[0-9a-f]{32}$/);
    } finally {
      home.peers.fail(AisService.method.ensureGroupAi, undefined);
    }
  });

  test('a repeated request_id creates one group, also concurrently, and refuses a different body', async () => {
    const ada = home.newPerson();
    const caller = as(ada);
    const ask = { name: 'Once', requestId: 'once' };
    const [first, second] = await Promise.all([by(caller).createGroup(ask), by(caller).createGroup(ask)]);
    expect(second.id).toBe(first.id);
    let status: number | undefined;
    const third = await home.client.createGroup(ask, {
      caller,
      onMetadata: (metadata) => {
        status = metadata.httpStatus;
      },
    });
    expect([third.id, status]).toEqual([first.id, 200]);
    expect((await by(caller).listGroups({})).groups).toHaveLength(1);
    expect(await failure(by(caller).createGroup({ ...ask, name: 'Twice' }))).toBe(
      'bad_request request_id_reused request_id',
    );
    // The same request by another caller is another request.
    const other = await by(as(home.newPerson())).createGroup(ask);
    expect(other.id).not.toBe(first.id);
  });

  test('enforces the maximum of groups per person under concurrency', async () => {
    const ada = home.newPerson();
    for (let made = 0; made < 57; made += 1) await home.newGroup(ada, { name: 'Many' });
    const last = await Promise.allSettled(
      Array.from({ length: 6 }, () => home.newGroup(ada, { name: 'Many' })),
    );
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const refused = last.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({
      kind: 'bad_request',
      details: { code: 'cap_reached', limit: 'groups_a_person' },
    });
  });
});
