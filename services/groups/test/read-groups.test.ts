import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { type Group, Role } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
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
  uuidOf,
} from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

const { by, club } = home;

const _notFound = { kind: 'not_found' };
const badCursor = { kind: 'bad_request', details: { field: 'cursor' } };

/** A group that ended: its end was a day away, and a day has passed. */
async function endedGroup(person: PersonFacts, name = 'One-off'): Promise<Group> {
  const endsAt = timestampFromDate(new Date(home.clock.now() + 60_000));
  const group = await home.newGroup(person, { name, endsAt });
  home.clock.advance(60_000);
  return group;
}

describe('list_groups', () => {
  test('pages through the groups of a person, the newest membership first, each once', async () => {
    const ada = home.newPerson();
    const made: Group[] = [];
    for (let index = 0; index < 7; index += 1) {
      made.push(await home.newGroup(ada, { name: `Group ${index}` }));
      // Some at the same moment.
      if (index % 3 === 0) home.clock.advance(1_000);
    }
    await home.newGroup(home.newPerson());
    const pages = await everyPage((at) => by(ada).listGroups({ limit: 3, ...at }));
    const seen = pages.flatMap(({ groups }) => groups.map(({ id }) => id));
    expect(pages).toHaveLength(3);
    expect([...seen].sort()).toEqual(made.map(({ id }) => id).sort());
    expect(new Set(seen.slice(0, 3))).toEqual(new Set(made.slice(4).map(({ id }) => id)));
    expect(seen.at(-1)).toBe(made[0]?.id);
  });

  test('includes archived groups on request, even those that have just ended', async () => {
    const ada = home.newPerson();
    const caller = as(ada);
    const ended = await endedGroup(ada);
    const archived = await home.newGroup(ada);
    await by(caller).archiveGroup({ id: archived.id });
    const active = await home.newGroup(ada);
    const ids = async (request: object) =>
      (await by(caller).listGroups(request)).groups.map((group) => [group.id, group.archived]);
    expect(await ids({})).toEqual([[active.id, false]]);
    expect((await ids({ archived: true })).sort()).toEqual(
      [
        [active.id, false],
        [archived.id, true],
        [ended.id, true],
      ].sort(),
    );
  });

  test("includes the viewer's role and whether the group has minors", async () => {
    const { group, ben } = await club({ members: ['ben'] });
    const kit = home.newPerson({ ageBand: CHILD, guardians: [ben.id] });
    const list = async () => (await by(ben).listGroups({})).groups;
    expect(await list()).toMatchObject([{ yourRole: Role.MEMBER, hasMinors: false }]);
    await home.put(group, kit);
    expect(await list()).toMatchObject([{ yourRole: Role.MEMBER, hasMinors: true }]);
  });

  test('is equal for an AI of the person, empty for an AI without an owner, and its own group for a group AI', async () => {
    const { group, ada } = await club();
    await home.newGroup(ada);
    const list = async (caller: ReturnType<typeof as>) => (await by(caller).listGroups({})).groups;
    expect(await list(aiOf(ada, home.uuid()))).toEqual(await list(as(ada)));
    expect(await list({ ...aiOf(ada, home.uuid()), person: '' })).toEqual([]);
    const own = await list(groupAi(group));
    expect(own.map(({ id, yourRole }) => [id, yourRole])).toEqual([[group.id, undefined]]);
  });

  test('lists the groups that an app created when it acts for no person', async () => {
    const app = home.uuid();
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.push((await home.newGroup(home.newPerson({ app }))).id);
      home.clock.advance(5);
    }
    const pages = await everyPage((at) => by(appAlone(app)).listGroups({ limit: 2, ...at }));
    const groups = pages.flatMap((page) => page.groups);
    expect(groups.every(({ yourRole }) => yourRole === undefined)).toBe(true);
    const seen = groups.map(({ id }) => id);
    // Ids are ordered by the system's clock in this test, not by the home's.
    expect([...seen].sort()).toEqual([...made].sort());
  });

  test.each(['', 'x', 'MTIz', Buffer.from('1,2').toString('base64url'), '%%%', 'a'.repeat(200)])(
    'refuses the cursor %j',
    async (cursor) => {
      const caller = as(home.newPerson());
      await expect(by(caller).listGroups({ cursor })).rejects.toMatchObject(badCursor);
    },
  );
});

describe('get_group', () => {
  test('is limited to members, the group AI and the app that created the group', async () => {
    const { group, ada, eve } = await club();
    const get = (caller: ReturnType<typeof as>, id = group.id) => by(caller).getGroup({ id });
    for (const caller of [as(ada), as(ada, ''), aiOf(ada, home.uuid()), groupAi(group), appAlone(home.app)]) {
      expect((await get(caller)).id).toBe(group.id);
      expect((await get(caller, group.address)).id).toBe(group.id);
      expect((await get(caller, `${group.address}@hearth.example`)).id).toBe(group.id);
    }
    const others = [
      as(eve),
      aiOf(eve, home.uuid()),
      appAlone(home.uuid()),
      groupAi(await home.newGroup(eve)),
    ];
    for (const caller of others) {
      expect(await failure(get(caller))).toBe('not_found not_found');
      expect(await failure(get(caller, group.address))).toBe('not_found not_found');
    }
  });

  test.each([
    'grp_',
    'grp_zz',
    `grp_${'0'.repeat(32)}`,
    `per_${'0'.repeat(32)}`,
    '&no-such-group',
    '&book-club@other.example',
    '&x',
    '@person-1',
    'Book club',
    '',
    '\0',
  ])('finds no group %j', async (id) => {
    expect(await failure(by(as(home.newPerson())).getGroup({ id }))).toBe('not_found not_found');
  });
});

describe('resolve_group', () => {
  test('finds by id, address, exact name and the beginning of one', async () => {
    const ada = home.newPerson();
    const caller = as(ada);
    const chess = await home.newGroup(ada, { name: 'Chess' });
    const club = await home.newGroup(ada, { name: 'Chess club' });
    const two = [
      await home.newGroup(ada, { name: 'Mornings' }),
      await home.newGroup(ada, { name: 'mornings' }),
    ];
    const odd = await home.newGroup(ada, { name: '100%_off (*)' });
    await home.newGroup(home.newPerson(), { name: 'Chess of others' });
    const resolve = async (q: string) => {
      const { group, candidates } = await by(caller).resolveGroup({ q });
      return group?.id ?? candidates.map(({ id }) => id);
    };
    expect(await resolve(chess.id)).toBe(chess.id);
    expect(await resolve(chess.address)).toBe(chess.id);
    expect(await resolve(`${chess.address}@hearth.example`)).toBe(chess.id);
    expect(await resolve('chess')).toBe(chess.id);
    expect(await resolve('Chess c')).toBe(club.id);
    expect(await resolve('CHES')).toEqual([chess.id, club.id]);
    expect(await resolve('MORNINGS')).toEqual(expect.arrayContaining(two.map(({ id }) => id)));
    expect(await resolve('100%_')).toBe(odd.id);
    for (const none of [
      '%',
      '_hess',
      'Chess of others',
      'ess',
      '&chess@other.example',
      `grp_${'0'.repeat(32)}`,
    ])
      expect(await resolve(none)).toEqual([]);
  });

  test('prefers an active group to an archived one of the same name, and names candidates', async () => {
    const ada = home.newPerson();
    const caller = as(ada);
    const old = await endedGroup(ada, 'Summer fête');
    const resolve = () => by(caller).resolveGroup({ q: 'summer fête' });
    expect((await resolve()).group?.id).toBe(old.id);
    const next = await home.newGroup(ada, { name: 'Summer Fête' });
    expect((await resolve()).group?.id).toBe(next.id);
    const other = await home.newGroup(ada, { name: 'Summer Fête' });
    const { group, candidates } = await resolve();
    expect(group).toBeUndefined();
    expect(candidates.map(({ id, name, address }) => [id, name, address]).sort()).toEqual(
      [next, other].map(({ id, address }) => [id, 'Summer Fête', address]).sort(),
    );
  });

  test('finds nothing for a person without groups', async () => {
    const caller = { ...aiOf(home.newPerson(), home.uuid()), person: '' };
    expect(await by(caller).resolveGroup({ q: 'Book' })).toMatchObject({ candidates: [] });
  });
});

describe('check_membership', () => {
  test('reports membership, role and the time of the check', async () => {
    const { group, ada, ben, eve } = await club({ members: ['ben'] });
    const check = (person: string, caller = as(ada)) =>
      by(caller).checkMembership({ id: group.address, person });
    const at = timestampFromDate(new Date(home.clock.now()));
    expect(await check(per(ben))).toMatchObject({
      group: group.id,
      person: per(ben),
      member: true,
      role: Role.MEMBER,
      checkedAt: at,
    });
    expect(await check('me')).toMatchObject({ person: per(ada), member: true, role: Role.ORGANIZER });
    expect(await check(`@${ben.handle.toUpperCase()}`)).toMatchObject({ person: per(ben), member: true });
    const not = await check(per(eve));
    expect([not.member, not.role]).toEqual([false, undefined]);
    expect(await check(per(ben), groupAi(group))).toMatchObject({ member: true });
    expect(await check(per(ben), appAlone(home.app))).toMatchObject({ member: true });
    expect(await failure(check(per(ben), as(eve)))).toBe('not_found not_found');
    for (const unknown of [printId('per', home.uuid()), '@nobody-here', 'Ada', '']) {
      expect(await failure(check(unknown))).toBe('not_found not_found');
    }
  });

  test('accepts a child only by the id shown to this viewer', async () => {
    const [ada, ben] = [home.newPerson({ app: '' }), home.newPerson({ app: '' })];
    const kit = home.newPerson({ ageBand: CHILD, guardians: [ben.id], app: home.uuid() });
    const group = await home.newGroup(ada, {});
    await home.put(group, ben);
    await home.put(group, kit);
    const check = (person: string, viewer: PersonFacts) =>
      by(as(viewer, '')).checkMembership({ id: group.id, person });
    const shown = async (viewer: PersonFacts) => {
      const { members } = await by(as(viewer, '')).listMembers({ id: group.id });
      return members.find(({ person }) => person?.shielded || person?.id === per(kit))?.person?.id;
    };
    const toAda = (await shown(ada)) as string;
    expect(toAda).toMatch(/^shp_[0-9a-f]{32}$/);
    expect(await shown(ben)).toBe(per(kit));
    expect(await check(toAda, ada)).toMatchObject({ person: toAda, member: true });
    expect(await check(per(kit), ben)).toMatchObject({ person: per(kit), member: true });
    for (const reference of [per(kit), `@${kit.handle}`, `shp_${uuidOf(per(kit)).replaceAll('-', '')}`]) {
      expect(await failure(check(reference, ada))).toBe('not_found not_found');
    }
    expect(await failure(check(toAda, ben))).toBe('not_found not_found');
  });
});
