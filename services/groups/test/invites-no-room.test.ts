import { sql } from '@hearth/db';
import { JoinReview, Minors } from '@hearth/proto/groups/v1/groups';
import { InviteState, InviteStatus, JoinStatus } from '@hearth/proto/groups/v1/invites';
import { afterAll, describe, expect, test } from '@jest/globals';
import { as, CHILD, follows, startGroups, uuidOf } from './start-groups.ts';

const home = await startGroups({ HEARTH_LIMITS: '{"group_members": 2, "groups_a_person": 2}' });
afterAll(() => home.stop());

const { accept, invite, list, membersOf, peek, review, by, club } = home;

let names = 0;
/** A person waits to join a group that has since become full. */
async function full(link: object = {}, child = false) {
  names += 1;
  const [ada, gus] = [home.newPerson(), home.newPerson()];
  const settings = { joinReview: child ? JoinReview.NONE : JoinReview.ALL, minors: Minors.GUARDIAN };
  const group = await home.newGroup(ada, { name: `Full ${names}.`, settings });
  const joiner = home.newPerson(child ? { ageBand: CHILD, guardians: [gus.id] } : {});
  const { code } = await invite(ada, group, { ...(child && { forAge: CHILD }), ...link });
  const approval = uuidOf((await accept(joiner, code!)).approval!);
  const second = home.newPerson();
  await home.put(group, second);
  return { ada, gus, joiner, group, code: code!, approval, second };
}

/** The joiner's notice first: notices of one transaction have no order. */
const inOrder = <One extends { title: string }>(notices: readonly One[]) =>
  [...notices].sort(
    (one, other) => Number(other.title.includes('can’t join')) - Number(one.title.includes('can’t join')),
  );

async function noticesTo(group: { name: string }) {
  return (await home.events()).flatMap(({ data }) =>
    data.case === 'personNotified' && data.value.title.includes(group.name)
      ? [
          {
            person: data.value.person,
            title: data.value.title,
            body: data.value.body,
            about: data.value.about,
          },
        ]
      : [],
  );
}

const statusOf = async (person: { id: string }) =>
  (
    await home.database.db.query<{ status: string; why: string | null }>(
      sql`select status, why from groups.joins where person = ${person.id}`,
    )
  )[0];

const wanted = async (approval: string) =>
  (
    await home.database.db.query<{ wanted: string }>(
      sql`select wanted from groups.asks where id = ${approval}`,
    )
  )[0]?.wanted;

describe('a group that became full before the approval', () => {
  test('ends the request: joiner and organizer are notified once, and no partial state remains', async () => {
    const { ada, joiner, group, code, approval } = await full();
    for (let times = 0; times < 3; times += 1) await home.settle(approval, 'approved', ada, 'welcome');
    await follows(async () => expect(await statusOf(joiner)).toEqual({ status: 'declined', why: 'full' }));
    expect(await membersOf(group)).not.toContain(joiner.id);
    expect(await wanted(approval)).toBe('approved');
    expect((await list(ada, group)).invites[0]).toMatchObject({
      status: InviteStatus.DECLINED,
      why: 'full',
      waiting: [],
    });
    expect((await peek(code)).state).toBe(InviteState.FULL);
    await follows(async () => expect(await noticesTo(group)).toHaveLength(2));
    expect(inOrder(await noticesTo(group))).toEqual([
      {
        person: joiner.id,
        title: `You can’t join ${group.name}`,
        body: 'The group was full by then.',
        about: '',
      },
      {
        person: ada.id,
        title: `${joiner.name} couldn’t join ${group.name}`,
        body: 'The group was full by then. Once there’s room, invite them again.',
        about: '',
      },
    ]);
    const ended = (await home.events(group)).filter(({ data }) => data.case === 'inviteEnded');
    expect(ended.map(({ data }) => data.value)).toMatchObject([{ why: 'full', person: { id: joiner.id } }]);
  });

  test('keeps a link open, by which they return when there is room', async () => {
    const { ada, joiner, group, code, approval, second } = await full({ reusable: true, maxUses: 1 });
    await home.settle(approval, 'approved', ada);
    await follows(async () => expect(await statusOf(joiner)).toEqual({ status: 'declined', why: 'full' }));
    expect((await list(ada, group)).invites[0]).toMatchObject({ status: InviteStatus.WAITING, uses: 0 });
    const caller = as(second);
    await by(caller).leaveGroup({ id: group.id });
    const again = await accept(joiner, code);
    expect(again.status).toBe(JoinStatus.WAITING);
    await home.settle(uuidOf(again.approval!), 'approved', ada);
    await follows(async () => expect(await membersOf(group)).toContain(joiner.id));
    expect(await statusOf(joiner)).toEqual({ status: 'joined', why: null });
  });

  test("notifies a child's guardians and the creator of the invite", async () => {
    const { ada, gus, joiner, group, approval } = await full({}, true);
    await home.settle(approval, 'approved', gus);
    await follows(async () => expect(await noticesTo(group)).toHaveLength(2));
    expect(inOrder(await noticesTo(group))).toMatchObject([
      { person: gus.id, about: joiner.id, title: expect.stringContaining('can’t join') },
      { person: ada.id, about: '', title: expect.stringContaining('the group was full') },
    ]);
    expect((await statusOf(joiner))?.why).toBe('full');
  });

  test('is reported to the reviewer at once, and the request keeps waiting', async () => {
    const { ada, joiner, group, code, second } = await full();
    await expect(review(ada, code, 1)).rejects.toMatchObject({
      details: { code: 'cap_reached', limit: 'group_members' },
    });
    expect(await statusOf(joiner)).toEqual({ status: 'waiting', why: null });
    await by(second).leaveGroup({ id: group.id });
    await review(ada, code, 1);
    expect(await membersOf(group)).toContain(joiner.id);
  });
});

test('a joiner with too many groups is told so, and the organizer only that the join is impossible', async () => {
  const { ada, joiner, group, approval, second } = await full();
  await by(second).leaveGroup({ id: group.id });
  for (let times = 0; times < 2; times += 1) await home.put(await home.newGroup(home.newPerson()), joiner);
  await home.settle(approval, 'approved', ada);
  await follows(async () => expect((await statusOf(joiner))?.why).toBe('cannot_join'));
  const told = await noticesTo(group);
  expect(told.find(({ person }) => person === joiner.id)?.body).toContain('Leave one first');
  expect(told.find(({ person }) => person === ada.id)?.body).not.toContain('Leave one first');
});

test('the note of an answer reaches the joiner', async () => {
  const { group, ada, joiner } = await club({ name: 'Noted.', settings: { joinReview: JoinReview.ALL } });
  for (const decision of ['declined', 'approved'] as const) {
    const { code } = await invite(ada, group);
    const { approval } = await accept(joiner, code!);
    await home.settle(uuidOf(approval!), decision, ada, `so it is ${decision}`);
    await follows(async () =>
      expect((await noticesTo(group)).filter(({ person }) => person === joiner.id).at(-1)).toMatchObject({
        body: `so it is ${decision}`,
      }),
    );
  }
});
