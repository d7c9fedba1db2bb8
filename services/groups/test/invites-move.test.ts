import { JoinReview, Minors } from '@hearth/proto/groups/v1/groups';
import { JoinStatus } from '@hearth/proto/groups/v1/invites';
import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from './eventually.ts';
import { failure, invitesOf, onPages } from './invites.ts';
import { ADULT, CHILD, per, startGroups, uuidOf } from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());
beforeEach(() => {
  home.approvals.reach.clear();
  home.approvals.reaches.length = 0;
});

const { happened, invite, list, membersOf, notices } = invitesOf(home);
const waitingWith = async (person: string, ...holders: string[]) =>
  (await home.invitations.listInvitations({ person, holders, limit: 20 })).invitations.map(({ id }) => id);
const accept = (person: PersonFacts, id: string) =>
  home.invitations.acceptInvitation({ id }, { caller: onPages(person) });

let names = 0;

describe('what waits with a guardian', () => {
  async function invitedChild() {
    names += 1;
    const [ada, gus, gwen] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const ida = home.newPerson({ ageBand: CHILD, name: 'Ida Lovelace', guardians: [gus.id] });
    const settings = { minors: Minors.GUARDIAN, joinReview: JoinReview.NONE };
    const group = await home.newGroup(ada, { name: `Moves ${names}.`, settings });
    home.approvals.reach.set(ida.id, { how: 'requests', guardian: gus.id });
    const made = await invite(ada, group, { to: per(ida), forAge: CHILD });
    home.approvals.reaches.length = 0;
    return { ada, gus, gwen, ida, group, id: uuidOf(made.id) };
  }

  test('goes to the new one, who is told and alone can answer', async () => {
    const { ada, gus, gwen, ida, group, id } = await invitedChild();
    expect(await waitingWith(gus.id, gus.id)).toEqual([id]);
    await home.changePerson(ida, { guardians: [gwen.id] });
    await eventually(async () => expect(await waitingWith(gwen.id, gwen.id)).toEqual([id]));
    expect(await waitingWith(gus.id, gus.id)).toEqual([]);
    expect(await waitingWith(ida.id, ida.id)).toEqual([]);
    const found = await home.invitations.findInvitation({ person: gus.id, holders: [gus.id], id });
    expect(found.invitation).toBeUndefined();
    expect((await notices(group.name)).map(({ person, about }) => [person, about])).toEqual([
      [gus.id, ida.id],
      [gwen.id, ida.id],
    ]);
    // The rules are checked again, and the invite is not counted again.
    expect(home.approvals.reaches).toMatchObject([{ sender: ada.id, recipient: ida.id, count: false }]);
    expect(await failure(accept(gus, id))).toMatch(/^not_found/);
    expect((await accept(gwen, id)).status).toBe(JoinStatus.JOINED);
    expect(await membersOf(group)).toContain(ida.id);
  });

  test('is hidden from the old one at once, before it has moved', async () => {
    const { gus, gwen, ida, id } = await invitedChild();
    Object.assign(ida, { guardians: [gwen.id] });
    home.signal('people', ida.id);
    await eventually(async () => expect(await waitingWith(gus.id, gus.id)).toEqual([]));
    const row = await home.database.db.one<{ holder: string }>({
      text: 'select holder from groups.invites where id = $1',
      values: [id],
    });
    expect(row.holder).toBe(gus.id);
  });

  test('stays while the guardian is one of several', async () => {
    const { gus, gwen, ida, group, id } = await invitedChild();
    await home.changePerson(ida, { guardians: [gwen.id, gus.id] });
    // An event that is consumed after it.
    const later = await invitedChild();
    await home.changePerson(later.ida, { guardians: [later.gwen.id] });
    await eventually(async () => expect(await waitingWith(later.gwen.id, later.gwen.id)).toHaveLength(1));
    expect(await waitingWith(gus.id, gus.id)).toEqual([id]);
    expect(await notices(group.name)).toHaveLength(1);
  });

  test('ends without a word where the new one keeps its sender away, or there is none', async () => {
    const blocked = await invitedChild();
    home.approvals.reach.set(blocked.ida.id, { how: 'turned_away' });
    const before = await happened(blocked.group);
    await home.changePerson(blocked.ida, { guardians: [blocked.gwen.id] });
    const alone = await invitedChild();
    await home.changePerson(alone.ida, { guardians: [] });
    for (const { ada, gus, gwen, group } of [blocked, alone]) {
      await eventually(async () =>
        expect((await list(ada, group)).invites[0]).toMatchObject({ why: 'declined' }),
      );
      for (const { id } of [gus, gwen]) expect(await waitingWith(id, id)).toEqual([]);
      expect(await notices(group.name)).toHaveLength(1);
    }
    expect(await happened(blocked.group)).toEqual(before);
  });

  test('is not kept away by a weekly cap that it was counted by before', async () => {
    const { gwen, ida, id } = await invitedChild();
    home.approvals.reach.set(ida.id, { how: 'declined' });
    await home.changePerson(ida, { guardians: [gwen.id] });
    await eventually(async () => expect(await waitingWith(gwen.id, gwen.id)).toEqual([id]));
  });

  test('is their own once they are of age', async () => {
    const { gus, ida, group, id } = await invitedChild();
    await home.changePerson(ida, { guardians: [], ageBand: ADULT });
    await eventually(async () => expect(await waitingWith(ida.id)).toEqual([id]));
    expect(await waitingWith(gus.id, gus.id)).toEqual([]);
    expect((await notices(group.name)).at(-1)).toMatchObject({ person: ida.id, about: '' });
  });
});

describe('what waits at a front door', () => {
  async function atDoor(facts: Partial<AiFacts> = {}) {
    names += 1;
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const group = await home.newGroup(ada, { name: `Doors ${names}.` });
    const { id: door } = home.world.newAi(ben, facts as object);
    home.approvals.reach.set(ben.id, { how: 'front_door', frontDoor: door });
    const made = await invite(ada, group, { to: `@${ben.handle}` });
    expect(await waitingWith(ben.id, door)).toEqual([uuidOf(made.id)]);
    return { ada, ben, group, door, id: uuidOf(made.id) };
  }
  type AtDoor = Awaited<ReturnType<typeof atDoor>>;

  const ai = ({ door }: AtDoor) => home.world.ais.get(door)!;
  const changed = ({ door }: AtDoor) =>
    home.publish({ case: 'aiChanged', value: { ai: door, changed: ['permissions'] } });

  test.each<[string, (at: AtDoor) => Promise<void>]>([
    [
      'is switched off',
      async ({ door }) => {
        home.world.ais.delete(door);
        await home.publish({ case: 'aiRevoked', value: { ai: door } });
      },
    ],
    [
      'may not send messages any more',
      async (at) => {
        ai(at).permissions = [Scope.READ];
        await changed(at);
      },
    ],
    [
      'has no owner any more',
      async (at) => {
        ai(at).owner = '';
        const value = { ai: { id: at.door }, owner: at.ben.id, why: 'released' };
        await home.publish({ case: 'aiUnclaimed', value });
      },
    ],
    [
      'is somebody else’s',
      async (at) => {
        ai(at).owner = home.newPerson().id;
        await home.publish({ case: 'aiClaimed', value: { ai: { id: at.door } } });
      },
    ],
  ])('goes to the person when the AI there %s, and they are told', async (_, change) => {
    const at = await atDoor();
    await change(at);
    await eventually(async () => expect(await waitingWith(at.ben.id)).toEqual([at.id]));
    expect(await waitingWith(home.uuid(), at.door)).toEqual([]);
    expect(await notices(at.group.name)).toMatchObject([{ person: at.ben.id, kind: 'invite' }]);
    expect((await accept(at.ben, at.id)).status).toBe(JoinStatus.JOINED);
  });

  test('stays where it is while the AI may still see it', async () => {
    const at = await atDoor();
    ai(at).permissions = [Scope.MESSAGE, Scope.APPROVE];
    await changed(at);
    const other = await atDoor();
    ai(other).permissions = [];
    await changed(other);
    await eventually(async () => expect(await waitingWith(other.ben.id)).toEqual([other.id]));
    expect(await waitingWith(at.ben.id)).toEqual([]);
    expect(await waitingWith(at.ben.id, at.door)).toEqual([at.id]);
    expect(await notices(at.group.name)).toEqual([]);
  });
});
