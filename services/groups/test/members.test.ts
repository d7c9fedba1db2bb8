import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { type Group, type Member, Role } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  aiOf,
  appAlone,
  as,
  CHILD,
  everyPage,
  failure,
  groupAi,
  per,
  startGroups,
  textOf,
  uuidOf,
} from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

const { by, club } = home;

const _notFound = { kind: 'not_found' };

/** All members as the viewer sees them, page by page. */
async function pages({ id }: Group, viewer: PersonFacts, limit: number): Promise<Member[]> {
  const read = await everyPage((at) => by(as(viewer, '')).listMembers({ id, limit, ...at }));
  for (const { members } of read) expect(members.length).toBeLessThanOrEqual(limit);
  return read.flatMap(({ members }) => members);
}

/** A group of adults and children who joined at different times on several days. */
async function mixedGroup() {
  const { group, ada, ben } = await club({ members: ['ben'] });
  const adults: PersonFacts[] = [];
  const children: PersonFacts[] = [];
  for (let index = 0; index < 6; index += 1) {
    home.clock.advance(3_700_000);
    const child = home.newPerson({ ageBand: CHILD, guardians: [ben.id], app: home.uuid() });
    const adult = home.newPerson();
    await home.put(group, child);
    await home.put(group, adult);
    children.push(child);
    adults.push(adult);
  }
  return { ada, ben, group, adults, children };
}

describe('list_members', () => {
  test('lists adults newest first, then shielded children under the ids that the viewer knows', async () => {
    const { ada, ben, group, adults, children } = await mixedGroup();
    const seen = await pages(group, ada, 4);
    expect(seen).toHaveLength(14);
    const ids = seen.map(({ person }) => person?.id ?? '');
    expect(ids.slice(0, 6)).toEqual([...adults].reverse().map(per));
    expect(new Set(ids.slice(6, 8))).toEqual(new Set([per(ada), per(ben)]));
    const shielded = seen.slice(8);
    expect(ids.slice(8)).toEqual([...ids.slice(8)].sort());
    for (const { person, joinedAt, role } of shielded) {
      expect(person).toMatchObject({
        id: expect.stringMatching(/^shp_/),
        shielded: true,
        address: person?.id,
        name: expect.stringMatching(/^Ada \d\.$/),
      });
      expect(person?.handle).toBeUndefined();
      expect(person?.guardian).toBeUndefined();
      expect(role).toBe(Role.MEMBER);
      expect(Number(joinedAt?.seconds ?? 1n) % 86_400).toBe(0);
    }
    // Their guardian sees the exact time.
    const whole = await pages(group, ben, 5);
    expect(whole.map(({ person }) => person?.id)).toEqual(expect.arrayContaining(children.map(per)));
    expect(whole.some(({ person }) => person?.shielded)).toBe(false);
    expect(whole.some(({ joinedAt }) => Number(joinedAt?.seconds) % 86_400 !== 0)).toBe(true);
  });

  test('two viewers cannot correlate a child', async () => {
    const { group, adults, children } = await mixedGroup();
    const lists = await Promise.all(adults.slice(0, 2).map((viewer) => pages(group, viewer, 100)));
    const [one, other] = lists.map((list) => list.filter(({ person }) => person?.shielded)) as [
      Member[],
      Member[],
    ];
    expect([one.length, other.length]).toEqual([children.length, children.length]);
    const idsOf = (list: Member[]) => list.map(({ person }) => person?.id);
    expect(idsOf(one).filter((id) => idsOf(other).includes(id))).toEqual([]);
    const told = textOf(one);
    for (const child of children) {
      expect(told).not.toContain(child.id.replaceAll('-', ''));
      expect(told).not.toContain(child.handle);
    }
    // One viewer's cursor names no one to another.
    const { nextCursor } = await by(as(adults[0] as PersonFacts, '')).listMembers({
      id: group.id,
      limit: 12,
    });
    const inside = Buffer.from(nextCursor ?? '', 'base64url').toString();
    expect(inside).toMatch(/^shp_/);
  });

  test('pages stay complete while members come and go', async () => {
    const { group, ada } = await club();
    const people: PersonFacts[] = [];
    for (let index = 0; index < 10; index += 1) {
      home.clock.advance(1_000);
      people.push(home.newPerson());
      await home.put(group, people[index] as PersonFacts);
    }
    const caller = as(ada);
    const first = await by(caller).listMembers({ id: group.id, limit: 4 });
    home.clock.advance(1_000);
    await home.put(group, home.newPerson());
    const last = first.members.at(-1)?.person?.id as string;
    await by(caller).removeMember({ id: group.id, person: last });
    const rest = await by(caller).listMembers({ id: group.id, limit: 100, cursor: first.nextCursor });
    const ids = [...first.members, ...rest.members].map(({ person }) => person?.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids)).toEqual(new Set([...people.map(per), per(ada)]));
  });

  test('filters by role, for viewers who can see the group', async () => {
    const { group, ada, ben, eve } = await club({ members: ['ben'] });
    const list = async (caller: ReturnType<typeof as>, role?: Role) =>
      (await by(caller).listMembers({ id: group.id, role })).members.map(({ person }) => person?.id);
    expect(await list(as(ben), Role.ORGANIZER)).toEqual([per(ada)]);
    expect(await list(as(ben), Role.MEMBER)).toEqual([per(ben)]);
    for (const caller of [as(ada), aiOf(ada, home.uuid()), groupAi(group), appAlone(home.app)]) {
      expect(new Set(await list(caller))).toEqual(new Set([per(ada), per(ben)]));
    }
    expect(await failure(list(as(eve)))).toBe('not_found not_found');
  });

  test.each(['x', Buffer.from('1').toString('base64url'), Buffer.from('shp_1').toString('base64url')])(
    'refuses the cursor %j',
    async (cursor) => {
      const ada = home.newPerson();
      const { id } = await home.newGroup(ada);
      expect(await failure(by(ada).listMembers({ id, cursor }))).toBe('bad_request bad_field cursor');
    },
  );

  test('omits deleted people', async () => {
    const { group, ada, ben } = await club({ members: ['ben'] });
    home.world.people.delete(ben.id);
    const { members } = await by(ada).listMembers({ id: group.id });
    expect(members.map(({ person }) => person?.id)).toEqual([per(ada)]);
  });
});

describe('set_role', () => {
  test('promotes and demotes a member, announced once', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson({ app: home.uuid() })];
    const group = await home.newGroup(ada);
    await home.put(group, ben);
    const set = (role: Role) => by(aiOf(ada, home.uuid())).setRole({ id: group.id, person: per(ben), role });
    expect(await set(Role.ORGANIZER)).toMatchObject({ person: { id: per(ben) }, role: Role.ORGANIZER });
    expect(await set(Role.ORGANIZER)).toMatchObject({ role: Role.ORGANIZER });
    expect(await set(Role.MEMBER)).toMatchObject({ role: Role.MEMBER });
    const told = (await home.events(group)).slice(1);
    expect(told.map(({ data, by }) => [data.case, data.value, by?.person])).toMatchObject([
      [
        'roleChanged',
        { role: 'organizer', seq: 2n, person: { id: ben.id }, apps: [home.app, ben.app] },
        ada.id,
      ],
      ['roleChanged', { role: 'member', seq: 3n, person: { id: ben.id } }, ada.id],
    ]);
  });

  test('is limited to organizers and members, and keeps one organizer', async () => {
    const { group, ada, ben, eve } = await club({ members: ['ben'] });
    const set = (caller: ReturnType<typeof as>, person: PersonFacts, role = Role.ORGANIZER) =>
      by(caller).setRole({ id: group.id, person: per(person), role });
    expect(await failure(set(as(ben), ben))).toBe('forbidden no_permission');
    expect(await failure(set(as(eve), ben))).toBe('not_found not_found');
    expect(await failure(set(as(ada), eve))).toBe('not_found not_found');
    expect(await failure(set(appAlone(home.app), ben))).toBe('bad_request bad_field Svc-Acting-For');
    expect(await failure(set(groupAi(group), ben))).toBe('forbidden no_permission');
    await expect(set(as(ada), ada, Role.MEMBER)).rejects.toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining('at least one organizer'),
    });
    expect(await home.events(group)).toHaveLength(1);
  });

  test('never promotes a minor, even with an outdated age band', async () => {
    const ada = home.newPerson();
    const kit = home.newPerson({ ageBand: CHILD, guardians: [ada.id] });
    const group = await home.newGroup(ada);
    await home.put(group, kit);
    const set = () => by(ada).setRole({ id: group.id, person: per(kit), role: Role.ORGANIZER });
    expect(await failure(set())).toBe('bad_request minors_not_allowed');
    // The member's row is newer than the cached facts.
    Object.assign(kit, { ageBand: 1 });
    home.signal('people', kit.id);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await failure(set())).toBe('bad_request minors_not_allowed');
  });

  test('two organizers who demote each other concurrently leave one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { group, ada, ben } = await club({ organizers: ['ben'] });
      const demote = (who: PersonFacts, whom: PersonFacts) =>
        by(who).setRole({ id: group.id, person: per(whom), role: Role.MEMBER });
      const both = await Promise.allSettled([demote(ada, ben), demote(ben, ada)]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const { members } = await by(ada).listMembers({ id: group.id, role: Role.ORGANIZER });
      expect(members).toHaveLength(1);
    }
  });
});

describe('remove_member', () => {
  test("removes a member, shows the reason to organizers, and notifies the member's app", async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson({ app: home.uuid() })];
    const group = await home.newGroup(ada);
    await home.put(group, ben, 'organizer');
    const caller = as(ada);
    const remove = () => by(caller).removeMember({ id: group.id, person: per(ben), reason: 'moved' });
    expect(await remove()).toMatchObject({ removed: true });
    const event = (await home.events(group)).at(-1);
    expect(event).toMatchObject({
      by: { person: ada.id },
      data: {
        case: 'memberRemoved',
        value: {
          person: { id: ben.id },
          reason: 'moved',
          organizers: [ada.id],
          seq: 2n,
          apps: [home.app, ben.app],
        },
      },
    });
    expect(await failure(remove())).toBe('not_found not_found');
    expect(await failure(by(ben).getGroup({ id: group.id }))).toBe('not_found not_found');
  });

  test('is limited to organizers, for others than themselves', async () => {
    const { group, ada, ben, eve } = await club({ members: ['ben'] });
    const remove = (caller: ReturnType<typeof as>, person: string) =>
      by(caller).removeMember({ id: group.id, person });
    expect(await failure(remove(as(ben), per(ada)))).toBe('forbidden no_permission');
    await expect(remove(as(ada), 'me')).rejects.toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining('leave'),
    });
    expect(await failure(remove(as(ada), per(eve)))).toBe('not_found not_found');
    expect(await failure(remove(as(ada), printId('per', home.uuid())))).toBe('not_found not_found');
    expect(await failure(remove(as(eve), per(ben)))).toBe('not_found not_found');
    expect(await failure(remove(appAlone(home.app), per(ben)))).toBe('bad_request bad_field Svc-Acting-For');
  });

  test('removes a child by the id that the organizer knows, without announcing the full name', async () => {
    const ada = home.newPerson({ app: '' });
    const kit = home.newPerson({
      ageBand: CHILD,
      app: home.uuid(),
      name: 'Kit Quillfeather',
      handle: 'kit-q',
    });
    const group = await home.newGroup(ada);
    await home.put(group, kit);
    const caller = as(ada, '');
    expect(await failure(by(caller).removeMember({ id: group.id, person: per(kit) }))).toBe(
      'not_found not_found',
    );
    const { members } = await by(caller).listMembers({ id: group.id });
    const shown = members.at(-1)?.person?.id as string;
    await by(caller).removeMember({ id: group.id, person: shown });
    expect((await home.events(group)).at(-1)?.data).toMatchObject({
      value: { person: { id: kit.id, name: 'Kit Q.', handle: '', minor: true } },
    });
  });

  test('two organizers who remove each other concurrently leave one', async () => {
    const { group, ada, ben } = await club({ organizers: ['ben'] });
    const remove = (who: PersonFacts, whom: PersonFacts) =>
      by(who).removeMember({ id: group.id, person: per(whom) });
    const both = await Promise.allSettled([remove(ada, ben), remove(ben, ada)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('leave_group', () => {
  const leave = (group: Group, caller: ReturnType<typeof as>, fields = {}) =>
    by(caller).leaveGroup({ id: group.id, ...fields });

  test('removes the caller, also through an AI', async () => {
    const { group, ben, cleo } = await club({ members: ['ben', 'cleo'] });
    expect(await leave(group, as(ben))).toMatchObject({ left: true, archived: false });
    expect(await leave(group, aiOf(cleo, home.uuid()))).toMatchObject({ left: true });
    expect(await failure(leave(group, as(ben)))).toBe('not_found not_found');
    expect(await failure(leave(group, appAlone(home.app)))).toBe('bad_request bad_field Svc-Acting-For');
    const told = (await home.events(group)).slice(1).map(({ data }) => [data.case, data.value]);
    expect(told).toMatchObject([
      ['memberLeft', { person: { id: ben.id }, seq: 2n }],
      ['memberLeft', { person: { id: cleo.id }, seq: 3n }],
    ]);
  });

  test('shows the reason to the organizers', async () => {
    const { group, ada, ben } = await club({ members: ['ben', 'cleo'] });
    await leave(group, as(ben), { reason: 'No time' });
    expect((await home.events(group)).at(-1)!.data).toMatchObject({
      case: 'memberLeft',
      value: { reason: 'No time', organizers: [ada.id] },
    });
  });

  test('by the last organizer archives the group, unless they decline', async () => {
    const { group, ada, ben } = await club({ members: ['ben'] });
    await expect(leave(group, as(ada), { confirmArchive: false })).rejects.toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining('last organizer'),
      details: { field: 'confirm_archive' },
    });
    expect(await leave(group, as(ada))).toMatchObject({ left: true, archived: true });
    expect((await by(ben).getGroup({ id: group.id })).archived).toBe(true);
    const told = (await home.events(group)).slice(1).map(({ data }) => [data.case, data.value]);
    expect(told).toMatchObject([
      ['memberLeft', { person: { id: ada.id }, seq: 2n }],
      ['groupArchived', { why: 'organizer_left', seq: 3n }],
    ]);
    // No one can restore it, but the remaining members can leave.
    expect(await failure(by(ben).restoreGroup({ id: group.id }))).toBe('forbidden no_permission');
    expect(await leave(group, as(ben))).toMatchObject({ left: true, archived: false });
  });

  test('by the last two organizers concurrently archives nothing unintentionally', async () => {
    const { group, ada, ben } = await club({ organizers: ['ben'] });
    const unmeant = { confirmArchive: false };
    const both = await Promise.allSettled([leave(group, as(ada), unmeant), leave(group, as(ben), unmeant)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('by the only organizer of an archived group needs no confirmation', async () => {
    const { group, ada } = await club();
    await by(ada).archiveGroup({ id: group.id });
    expect(await leave(group, as(ada))).toMatchObject({ left: true, archived: false });
  });

  test('a child leaves through the guardian, who need not be a member', async () => {
    const [ada, gus, eve] = [home.newPerson(), home.newPerson({ app: '' }), home.newPerson()];
    const kit = home.newPerson({ ageBand: CHILD, guardians: [gus.id], aiShare: true });
    const group = await home.newGroup(ada, { settings: { minors: 2 } });
    await home.put(group, kit, 'member', gus.id);
    await home.put(group, eve);
    const person = per(kit);
    const needsPerson = { kind: 'forbidden', details: { code: 'needs_person', needsPerson: true } };
    await expect(leave(group, as(kit))).rejects.toMatchObject(needsPerson);
    await expect(leave(group, aiOf(kit, home.uuid()))).rejects.toMatchObject(needsPerson);
    await expect(leave(group, aiOf(gus, home.uuid()), { person })).rejects.toMatchObject(needsPerson);
    // Neither another member, nor the organizer, nor a caller who knows the child's own id.
    expect(await failure(leave(group, as(eve, ''), { person }))).toBe('not_found not_found');
    expect(await failure(leave(group, as(ada, home.app), { person }))).toBe('forbidden no_permission');
    expect(await failure(leave(group, as(home.newPerson(), ''), { person }))).toBe('not_found not_found');
    expect(await leave(group, as(gus, ''), { person })).toMatchObject({ left: true });
    expect((await home.events(group)).at(-1)).toMatchObject({
      by: { person: gus.id },
      data: { case: 'memberLeft', value: { person: { id: kit.id, minor: true } } },
    });
  });

  test('a teenager who may join alone may leave alone', async () => {
    const { group, gus } = await club({ settings: { minors: 3 } });
    const tom = home.newPerson({ ageBand: 2, guardians: [gus.id] });
    await home.put(group, tom);
    expect(await leave(group, as(tom))).toMatchObject({ left: true });
  });

  test('cannot be called for another adult', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson({ guardians: [] })];
    const group = await home.newGroup(ada);
    await home.put(group, ben);
    expect(await failure(leave(group, as(ada), { person: per(ben) }))).toBe('forbidden no_permission');
    // The former guardian has no say any longer.
    const grown = home.newPerson({ guardians: [home.newPerson().id] });
    await home.put(group, grown);
    const former = home.world.people.get(grown.guardians[0] as string) as PersonFacts;
    expect(await failure(leave(group, as(former), { person: per(grown) }))).toBe('not_found not_found');
  });
});

test('the apps of fellow members learn of a changed name and age band, and of nothing else', async () => {
  const { adults, children, group } = await mixedGroup();
  const [own, other] = [home.uuid(), home.uuid()];
  const member = home.newPerson({ app: own });
  const two = home.newPerson({ app: other });
  for (const person of [member, two]) await home.put(group, person);
  const changes = async () =>
    (await home.announced('groups')).flatMap(({ data }) =>
      data.case === 'fellowChanged' && data.value.person?.id === member.id ? data.value : [],
    );
  const person = { id: member.id, handle: member.handle, name: 'New', app: own };
  const publish = async (changed: string[]) =>
    await home.publish({ case: 'personChanged', value: { person, changed, apps: [own] } });
  await publish(['suspended']);
  await publish(['guardian', 'locale']);
  await publish(['name', 'age_band', 'ai_share']);
  await eventually(async () => (await changes()).length > 0);
  const [told, ...more] = await changes();
  expect(more).toEqual([]);
  expect(told).toMatchObject({ person: { name: 'New' }, changed: ['name', 'age_band'] });
  const apps = [...adults, ...children, two].map(({ app }) => app).filter((app) => app !== '');
  expect(told?.apps).toEqual(expect.arrayContaining(apps));
  expect(told?.apps).not.toContain(own);
});

test('a change delivered twice notifies the apps of fellow members once', async () => {
  const { group } = await mixedGroup();
  const member = home.newPerson();
  await home.put(group, member);
  const changed = async () =>
    (await home.announced('groups')).filter(
      ({ data }) => data.case === 'fellowChanged' && data.value.person?.id === member.id,
    );
  const person = { id: member.id, handle: member.handle, name: 'New', app: member.app };
  const event = await home.publish({ case: 'personChanged', value: { person, changed: ['name'], apps: [] } });
  await eventually(async () => (await changed()).length > 0);
  home.clock.advance(1_000);
  await home.publishAll([event]);
  expect(await changed()).toHaveLength(1);
});

test('a former member has an exact time, and a shielded one only the day', async () => {
  const ada = home.newPerson({ app: '' });
  const kit = home.newPerson({ ageBand: CHILD, app: home.uuid() });
  const group = await home.newGroup(ada);
  await home.put(group, kit);
  const { members } = await by(as(ada, '')).listMembers({ id: group.id });
  const now = home.clock.now();
  expect(members.map(({ joinedAt }) => joinedAt)).toEqual([
    timestampFromDate(new Date(now)),
    timestampFromDate(new Date(Math.floor(now / 86_400_000) * 86_400_000)),
  ]);
  expect(uuidOf(group.id)).toMatch(/^[0-9a-f-]{36}$/);
});

describe('a large group', () => {
  /** A group of that many children, who all see each other shielded. */
  async function childrensGroup(count: number) {
    const { group, ada } = await club();
    const children = Array.from({ length: count }, () =>
      home.newPerson({ ageBand: CHILD, app: home.uuid() }),
    );
    for (let first = 0; first < count; first += 40)
      await Promise.all(children.slice(first, first + 40).map((child) => home.put(group, child)));
    return { group, ada, children };
  }

  /** Processor time of one page in milliseconds, for the whole process: the minimum of several rounds. */
  async function costOf({ group, ada }: { group: Group; ada: PersonFacts }, limit = 20): Promise<number> {
    const caller = as(ada, '');
    const pagesOfRound = 30;
    let [least, cursor] = [Number.POSITIVE_INFINITY, undefined as string | undefined];
    for (let round = 0; round < 6; round += 1) {
      const { user, system } = process.cpuUsage();
      for (let page = 0; page < pagesOfRound; page += 1)
        cursor = (await by(caller).listMembers({ id: group.id, limit, cursor })).nextCursor;
      const used = process.cpuUsage({ user, system });
      least = Math.min(least, (used.user + used.system) / 1_000 / pagesOfRound);
    }
    return least;
  }

  test('has pages that cost little more than those of a small one', async () => {
    const [small, large] = [await childrensGroup(40), await childrensGroup(2_000)];
    const costs = { small: await costOf(small), large: await costOf(large) };
    expect(costs.large).toBeLessThan(costs.small * 2);
  });

  test('reflects departures and changed visibility at once, and reveals no former position', async () => {
    const { group, ada, children } = await childrensGroup(120);
    const idsOf = async () => (await pages(group, ada, 50)).map(({ person }) => person?.id ?? '');
    const before = await idsOf();
    expect(new Set(before).size).toBe(121);
    const removed = before.at(-1) as string;
    await by(as(ada, '')).removeMember({ id: group.id, person: removed });
    expect(new Set(await idsOf())).toEqual(new Set(before.slice(0, -1)));
    for (const child of children) await home.changePerson(child, { guardians: [ada.id] });
    const seen = await eventually(async () => {
      const ids = await idsOf();
      return ids.every((id) => id.startsWith('per_')) && ids;
    });
    expect(new Set(seen).size).toBe(120);
  });
});
