import { create } from '@bufbuild/protobuf';
import { sql } from '@hearth/db';
import { FamilySchema } from '@hearth/proto/approvals/v1/items';
import { JoinReview, Minors } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ADULT, aiOf, CHILD, failure, follows, onPages, per, startGroups, uuidOf } from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());
beforeEach(() => {
  home.approvals.reach.clear();
  home.approvals.reaches.length = 0;
});

const { acceptItem, happened, invite, list, membersOf, notices, passItem, club } = home;
const waitingFor = async (person: PersonFacts, caller = onPages(person)) =>
  (await home.waiting(caller)).map(({ key }) => key?.id);
const accept = (person: PersonFacts, id: string) => acceptItem(onPages(person), id);

let names = 0;

describe('an invite that waits with a guardian', () => {
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

  /** Changes a child's facts, and waits until the owner of the items has heard. */
  async function change(child: PersonFacts, id: string, facts: Partial<PersonFacts>) {
    home.world.changePerson(child, facts);
    await moveTo(child, id, { answering: child.ageBand === ADULT ? [child.id] : child.guardians });
  }

  const moveTo = (child: PersonFacts, id: string, to: { answering: string[]; suspended?: string[] }) =>
    home.move(id, { case: 'family', value: create(FamilySchema, { child: child.id, ...to }) });

  test('moves to the new guardian, who is notified and alone can answer', async () => {
    const { ada, gus, gwen, ida, group, id } = await invitedChild();
    expect(await waitingFor(gus)).toEqual([id]);
    await change(ida, id, { guardians: [gwen.id] });
    expect(await waitingFor(gwen)).toEqual([id]);
    expect(home.items.find(id)).toMatchObject({ owner: ida.id, holder: gwen.id, box: 'requests' });
    expect(await waitingFor(gus)).toEqual([]);
    expect(await waitingFor(ida)).toEqual([]);
    expect((await notices(group.name)).map(({ person, about }) => [person, about])).toEqual([
      [gus.id, ida.id],
      [gwen.id, ida.id],
    ]);
    // The rules are checked again, but the invite is not counted again.
    expect(home.approvals.reaches).toMatchObject([{ sender: ada.id, recipient: ida.id, count: false }]);
    expect(await failure(accept(gus, id))).toMatch(/^not_found/);
    expect((await accept(gwen, id)).status).toBe('joined');
    expect(await membersOf(group)).toContain(ida.id);
  });

  test('is hidden from the former guardian at once, before it moves', async () => {
    const { gus, gwen, ida, id } = await invitedChild();
    home.world.changePerson(ida, { guardians: [gwen.id] });
    await follows(async () => expect(await waitingFor(gus)).toEqual([]));
    const row = await home.database.db.one<{ holder: string }>(
      sql`select holder from groups.invites where id = ${id}`,
    );
    expect(row.holder).toBe(gus.id);
  });

  test('stays while the guardian is one of several', async () => {
    const { gus, gwen, ida, group, id } = await invitedChild();
    await change(ida, id, { guardians: [gwen.id, gus.id] });
    expect(await waitingFor(gus)).toEqual([id]);
    expect(await notices(group.name)).toHaveLength(1);
  });

  test('moves to the other guardian while the first is suspended, unless the other refuses its sender', async () => {
    for (const [answer, holds] of [
      [{ how: 'requests', guardian: 'gwen' }, 'gwen'],
      [{ how: 'requests', guardian: 'gus' }, 'gus'],
      // A weekly cap reached by now names no guardian.
      [{ how: 'declined' }, 'gwen'],
    ] as const) {
      const { gus, gwen, ida, group, id } = await invitedChild();
      const uuids = { gus: gus.id, gwen: gwen.id };
      home.world.changePerson(ida, { guardians: [gus.id, gwen.id] });
      const guardian = 'guardian' in answer ? { guardian: uuids[answer.guardian] } : {};
      home.approvals.reach.set(ida.id, { ...answer, ...guardian });
      await moveTo(ida, id, { answering: [gwen.id, gus.id], suspended: [gus.id] });
      expect(home.items.find(id)).toMatchObject({ owner: ida.id, holder: uuids[holds] });
      expect(await notices(group.name)).toHaveLength(holds === 'gwen' ? 2 : 1);
    }
  });

  test('ends silently where the new guardian refuses its sender, or there is none', async () => {
    const blocked = await invitedChild();
    home.approvals.reach.set(blocked.ida.id, { how: 'turned_away' });
    const before = await happened(blocked.group);
    await change(blocked.ida, blocked.id, { guardians: [blocked.gwen.id] });
    const alone = await invitedChild();
    await change(alone.ida, alone.id, { guardians: [] });
    for (const { ada, gus, gwen, group, id } of [blocked, alone]) {
      expect((await list(ada, group)).invites[0]).toMatchObject({ why: 'declined' });
      expect(home.items.find(id)).toBeUndefined();
      for (const person of [gus, gwen]) expect(await waitingFor(person)).toEqual([]);
      expect(await notices(group.name)).toHaveLength(1);
    }
    expect(await happened(blocked.group)).toEqual(before);
  });

  test('is not refused by a weekly limit that already counted it', async () => {
    const { gwen, ida, id } = await invitedChild();
    home.approvals.reach.set(ida.id, { how: 'declined' });
    await change(ida, id, { guardians: [gwen.id] });
    expect(await waitingFor(gwen)).toEqual([id]);
  });

  test('moves to the child once they are of age', async () => {
    const { gus, ida, group, id } = await invitedChild();
    await change(ida, id, { guardians: [], ageBand: ADULT });
    expect(await waitingFor(ida)).toEqual([id]);
    expect(await waitingFor(gus)).toEqual([]);
    expect((await notices(group.name)).at(-1)).toMatchObject({ person: ida.id, about: '' });
  });
});

describe('an invite at a front door', () => {
  async function atDoor() {
    names += 1;
    const { group, ada, ben } = await club({ name: `Doors ${names}.` });
    const { id: door } = home.world.newAi(ben);
    home.approvals.reach.set(ben.id, { how: 'front_door', frontDoor: door });
    const made = await invite(ada, group, { to: `@${ben.handle}` });
    expect(await waitingFor(ben, aiOf(ben, door))).toEqual([uuidOf(made.id)]);
    return { ada, ben, group, door, id: uuidOf(made.id) };
  }
  test('is hidden from the AI there once it has another owner', async () => {
    const { door } = await atDoor();
    const moved = aiOf(home.newPerson(), door);
    expect(await waitingFor(home.newPerson(), moved)).toEqual([]);
  });

  test('moves to the person when the AI there is deleted, and they are notified', async () => {
    const { ben, door, group, id } = await atDoor();
    await home.move(id, { case: 'owner', value: true });
    expect(await waitingFor(ben)).toEqual([id]);
    expect(home.items.find(id)).toMatchObject({ owner: ben.id, holder: '', box: 'requests' });
    expect(await waitingFor(ben, aiOf(home.newPerson(), door))).toEqual([]);
    expect(await notices(group.name)).toMatchObject([{ person: ben.id, kind: 'invite' }]);
    await home.move(id, { case: 'owner', value: true });
    expect(await notices(group.name)).toHaveLength(1);
    expect((await accept(ben, id)).status).toBe('joined');
  });

  test('no longer moves once it was passed on or answered', async () => {
    const passed = await atDoor();
    const [key] = home.keysOf(passed.id);
    await passItem(aiOf(passed.ben, passed.door), passed.id);
    const toOwner = { case: 'owner', value: true } as const;
    expect((await home.source.moveItems({ keys: [key!], to: toOwner })).change).toMatchObject({
      placed: [],
      closed: [key],
    });
    expect(await notices(passed.group.name)).toHaveLength(1);
    expect(await waitingFor(passed.ben)).toEqual([passed.id]);
    await accept(passed.ben, passed.id);
    const gone = { case: 'end', value: 'blocked' } as const;
    expect((await home.source.moveItems({ keys: [key!], to: gone })).change).toMatchObject({
      placed: [],
      closed: [key],
    });
    expect(await membersOf(passed.group)).toContain(passed.ben.id);
  });
});
