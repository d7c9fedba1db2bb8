import { timestampDate } from '@bufbuild/protobuf/wkt';
import { sql } from '@hearth/db';
import { JoinReview } from '@hearth/proto/groups/v1/groups';
import { InviteState, InviteStatus } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aiOf, failure, follows, onPages, operator, startGroups, uuidOf } from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());
beforeEach(() => home.approvals.reach.clear());

const { accept, acceptItem, declineItem, happened, invite, list, peek, by, club } = home;
const isWaiting = async (person: PersonFacts, id: string) =>
  (await home.waiting(onPages(person))).some(({ key }) => key?.id === id);

let names = 0;

async function invited(reached: object = {}, settings: object = { joinReview: JoinReview.NONE }) {
  names += 1;
  const { group, ada, ben } = await club({ name: `Items ${names}.`, settings });
  home.approvals.reach.set(ben.id, { how: 'requests', ...reached });
  const made = await invite(ada, group, { to: `@${ben.handle}` });
  return { ada, ben, group, made, code: made.code!, id: uuidOf(made.id) };
}
type Invited = Awaited<ReturnType<typeof invited>>;

const changesOf = async (id: string) =>
  (await home.events()).flatMap(({ data }) =>
    data.case === 'itemsChanged'
      ? [
          ...data.value.placed.filter(({ key }) => key?.id === id).map(({ key }) => `+${key?.part}`),
          ...data.value.closed.filter((key) => key.id === id).map(({ part }) => `-${part}`),
        ]
      : [],
  );

describe('an invite to a person', () => {
  test('is stored in the transaction that creates it, and shown to the recipient alone', async () => {
    const { ada, ben, group, made, id } = await invited();
    expect(home.items.find(id)).toMatchObject({
      key: { kind: 'invite', id, part: 1 },
      owner: ben.id,
      holder: '',
      box: 'requests',
      label: 'other',
      senders: [ada.id],
      expires: made.expiresAt,
    });
    expect(timestampDate(home.items.find(id)!.since!)).toEqual(new Date(home.clock.now()));
    expect(await home.waiting(onPages(ben))).toMatchObject([
      {
        key: { kind: 'invite', id },
        title: `An invitation into ${group.name}`,
        preview: '',
        from: '',
        fromName: ada.name,
        fromPerson: ada.id,
        nameVerified: true,
        fromStatus: 'person',
        toPerson: ben.id,
        passedNote: '',
      },
    ]);
    const keys = home.keysOf(id);
    const shown = async (person: PersonFacts) => (await by(onPages(person)).showItems({ keys })).items;
    expect([await shown(ada), await shown(home.newPerson())]).toEqual([[], []]);
    const other = {
      keys: [
        { ...keys[0]!, part: 2 },
        { ...keys[0]!, id: 'x' },
      ],
    };
    expect((await by(onPages(ben)).showItems(other)).items).toEqual([]);
    expect(await changesOf(id)).toEqual(['+1']);
  });

  test.each<[string, (at: Invited) => Promise<unknown>]>([
    [
      'is accepted',
      async ({ ben, group, id }) => {
        expect((await acceptItem(onPages(ben), id)).status).toBe('joined');
        expect(await happened(group)).toContain('memberJoined');
      },
    ],
    ['is followed by its link', ({ ben, code }) => accept(ben, code)],
    [
      'is declined',
      async ({ ada, ben, group, id }) => {
        await declineItem(onPages(ben), id);
        expect((await list(ada, group)).invites[0]).toMatchObject({ why: 'declined' });
      },
    ],
    ['is sent back by its link', ({ ben, code }) => by(onPages(ben)).withdrawJoin({ code })],
    ['is taken back', ({ ada, code }) => by(ada).revokeInvite({ code })],
    [
      'came to its time',
      async ({ ben, id }) => {
        home.clock.advance(8 * 86_400_000);
        expect(await isWaiting(ben, id)).toBe(false);
        await home.expireInvites();
      },
    ],
    [
      'ends with a block',
      async ({ ada, group, id }) => {
        const before = await happened(group);
        await home.move(id, { case: 'end', value: 'blocked' });
        expect((await list(ada, group)).invites[0]).toMatchObject({ why: 'declined' });
        expect(await happened(group)).toEqual(before);
      },
    ],
    [
      'went to a person whose account ended',
      async ({ ada, code, group, id }) => {
        await home.move(id, { case: 'end', value: 'recipient_gone' });
        expect((await list(ada, group)).invites[0]).toMatchObject({ status: InviteStatus.WAITING });
        expect((await peek(code)).state).toBe(InviteState.OK);
      },
    ],
  ])('waits no more once it %s', async (_, end) => {
    const at = await invited();
    expect(await isWaiting(at.ben, at.id)).toBe(true);
    await end(at);
    expect(home.items.find(at.id)).toBeUndefined();
    expect(await changesOf(at.id)).toEqual(['+1', '-1']);
  });

  test('no longer waits once they asked to join by it', async () => {
    const { ben, code, id } = await invited({}, { joinReview: JoinReview.ALL });
    await accept(ben, code);
    expect(home.items.find(id)).toBeUndefined();
  });

  test.each([['inbox'], ['declined']])('at the %s of a member of the same group is no item', async (how) => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    home.approvals.reach.set(ben.id, { how });
    await home.put(await home.newGroup(ada), ben);
    const { id } = await invite(ada, await home.newGroup(ada), { to: `@${ben.handle}` });
    expect(home.items.find(uuidOf(id))).toBeUndefined();
  });

  test('from a remembered sender is an item, since they share no group', async () => {
    const { ben, id } = await invited({ how: 'inbox' });
    expect(await isWaiting(ben, id)).toBe(true);
  });

  test('waits while they share no group with its creator', async () => {
    const { ada, ben, id } = await invited();
    const shared = await home.newGroup(ada, { settings: { joinReview: JoinReview.NONE } });
    const { code } = await invite(ada, shared, { reusable: true });
    await accept(ben, code!);
    expect(await isWaiting(ben, id)).toBe(false);
    await follows(async () => expect(home.items.find(id)).toBeUndefined());
    await by(onPages(ben)).leaveGroup({ id: shared.id });
    await follows(async () => expect(await isWaiting(ben, id)).toBe(true));
    expect(await changesOf(id)).toEqual(['+1', '-1', '+2', '-1']);
  });

  test('waits again when its group is restored', async () => {
    const { ada, ben, group, id } = await invited();
    await by(ada).archiveGroup({ id: group.id });
    expect(await isWaiting(ben, id)).toBe(false);
    await follows(async () => expect(home.items.find(id)).toBeUndefined());
    await by(ada).restoreGroup({ id: group.id });
    await follows(async () => expect(await isWaiting(ben, id)).toBe(true));
  });

  test('ends with its group', async () => {
    const { ada, group, id } = await invited();
    await home.run(sql`delete from groups.members where person = ${ada.id}`);
    await by(operator).deleteGroup({ id: group.id });
    expect(await changesOf(id)).toEqual(['+1', '-1']);
  });

  test('from before items existed is stored once', async () => {
    const { ben, id } = await invited();
    await home.run(sql`update groups.invites set placed = false, part = 1 where id = ${id}`);
    await home.run(sql`insert into groups.unplaced_invites values (${id})`);
    await home.runJob('groups: place-invites');
    await home.runJob('groups: place-invites');
    expect(await isWaiting(ben, id)).toBe(true);
    expect(await changesOf(id)).toEqual(['+1', '+2', '-1']);
  });

  test('can be answered by its recipient only', async () => {
    const { ben, id } = await invited();
    const keys = home.keysOf(id);
    const eve = onPages(home.newPerson());
    expect(await failure(acceptItem(eve, id))).toMatch(/^not_found/);
    expect(await failure(declineItem(eve, id))).toMatch(/^not_found/);
    expect(await failure(acceptItem(aiOf(ben, home.uuid()), id))).toBe('forbidden needs_person');
    expect(await failure(acceptItem(onPages(ben), 'x'))).toMatch(/^not_found/);
    expect(await failure(by(onPages(ben)).acceptItem({ keys: [] }))).toMatch(/^not_found/);
    await by(onPages(ben)).relabelItem({ keys, label: 'sales' });
    expect(await isWaiting(ben, id)).toBe(true);
  });
});
