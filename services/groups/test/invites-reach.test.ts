import type { Caller } from '@hearth/proto/common/v1/caller';
import { JoinReview, Minors } from '@hearth/proto/groups/v1/groups';
import { InviteDelivery, InviteState, InviteStatus, JoinStatus } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  aiOf,
  as,
  CHILD,
  failure,
  follows,
  onPages,
  per,
  startGroups,
  textOf,
  uuidOf,
} from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());
beforeEach(() => {
  home.approvals.reach.clear();
  home.approvals.reaches.length = 0;
});

const {
  accept,
  acceptItem,
  declineItem,
  happened,
  invite,
  list,
  membersOf,
  notices,
  passItem,
  peek,
  by,
  club,
} = home;
const { DELIVERED, REQUESTED, FRONT_DOOR, DECLINED } = InviteDelivery;
const waiting = async (caller: Caller) => (await home.waiting(caller)).map(({ key }) => key?.id);

const lastNotice = async () =>
  (await home.events()).flatMap(({ data }) => (data.case === 'personNotified' ? [data.value] : [])).at(-1);

let names = 0;
/** Ada invites Ben, and the invite reaches him in that way. */
async function invited(reached: { how: string; frontDoor?: string; guardian?: string }, more: object = {}) {
  names += 1;
  const { group, ada, ben } = await club({ name: `Reach ${names}.` });
  home.approvals.reach.set(ben.id, reached);
  const made = await invite(ada, group, { to: `@${ben.handle}`, ...more });
  return { ada, ben, group, made, id: uuidOf(made.id) };
}

describe('whether an invite reaches its recipient', () => {
  test('is checked for whoever creates it', async () => {
    const { ada, ben } = await invited({ how: 'inbox' });
    const group = await home.newGroup(ada);
    const helper = home.uuid();
    await by(aiOf(ada, helper)).createInvite({ id: group.id, to: `@${ben.handle}` });
    const robin = home.world.newAi(ben, { address: '@ben.ai-robin' });
    await invite(ada, group, { to: '@ben.ai-robin' });
    const common = { checked: true, recipient: ben.id, kind: 6, count: true };
    expect(home.approvals.reaches).toMatchObject([
      { ...common, sender: ada.id, senderKind: 'person', senderPerson: '', recipientAi: '' },
      { ...common, sender: helper, senderKind: 'ai', senderPerson: ada.id, recipientAi: '' },
      { ...common, sender: ada.id, senderKind: 'person', recipientAi: robin.id },
    ]);
  });

  test('is not checked for a code, an email address, or an otherwise refused invite', async () => {
    const { group, ada } = await club();
    expect((await invite(ada, group)).delivery).toBeUndefined();
    expect((await invite(ada, group, { to: 'ben@mail.example' })).delivery).toBeUndefined();
    expect(await failure(invite(ada, group, { to: `@${ada.handle}` }))).toContain('already_settled');
    expect(home.approvals.reaches).toEqual([]);
  });

  test.each([
    ['inbox', DELIVERED],
    ['requests', REQUESTED],
  ])('%s: it waits for the recipient, who is notified', async (how, delivery) => {
    const { ben, group, made, id } = await invited({ how });
    expect(made).toMatchObject({ delivery, status: InviteStatus.WAITING });
    expect(await waiting(onPages(ben))).toEqual([id]);
    expect(await notices(group.name)).toMatchObject([{ person: ben.id, about: '' }]);
  });

  test('declined: the inviter gets a polite refusal at once, and nobody is notified', async () => {
    const { ada, ben, group, made } = await invited({ how: 'declined' });
    expect(made).toMatchObject({ delivery: DECLINED, status: InviteStatus.DECLINED, why: 'declined' });
    expect(await waiting(onPages(ben))).toEqual([]);
    expect(await notices(group.name)).toEqual([]);
    expect((await peek(made.code!)).state).toBe(InviteState.USED);
    expect(await failure(accept(ben, made.code!))).toBe('bad_request not_waiting');
    expect((await list(ada, group)).invites[0]).toMatchObject({ why: 'declined', delivery: DECLINED });
  });

  test('declined: a link that others can use stays open for them', async () => {
    const { ben, group, made } = await invited({ how: 'declined' }, { reusable: true });
    expect(made).toMatchObject({ delivery: DECLINED, status: InviteStatus.WAITING });
    expect(await notices(group.name)).toEqual([]);
    expect(await waiting(onPages(ben))).toEqual([]);
    expect((await accept(home.newPerson(), made.code!)).status).toBe(JoinStatus.JOINED);
  });

  test('turned away: nothing is created, with the same message as for a child', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const child = home.newPerson({ ageBand: CHILD, app: home.uuid() });
    const group = await home.newGroup(ada, { settings: { minors: Minors.GUARDIAN } });
    home.approvals.reach.set(ben.id, { how: 'turned_away' });
    const before = await happened(group);
    const errors = await Promise.all(
      [`@${ben.handle}`, `@${child.handle}`].map((to) =>
        invite(ada, group, { to, ...(to.includes(child.handle) && { forAge: CHILD }) }).catch(
          (error) => error,
        ),
      ),
    );
    expect(errors[0]).toMatchObject({
      kind: 'forbidden',
      message: 'this address does not take invites from you',
      details: { code: 'turned_away' },
    });
    expect([errors[1].kind, errors[1].message, errors[1].details]).toEqual([
      errors[0].kind,
      errors[0].message,
      errors[0].details,
    ]);
    expect(await happened(group)).toEqual(before);
    expect((await list(ada, group)).invites).toEqual([]);
  });

  test('an unknown way of reaching them creates nothing', async () => {
    const { group, ada, ben } = await club();
    home.approvals.reach.set(ben.id, { how: 'somehow' });
    expect(await failure(invite(ada, group, { to: `@${ben.handle}` }))).toContain('internal');
    expect((await list(ada, group)).invites).toEqual([]);
  });
});

describe('an invite at the front door', () => {
  test('waits for the AI there, and its person is notified once it passes the invite on', async () => {
    const door = home.uuid();
    const { ada, ben, group, made, id } = await invited({ how: 'front_door', frontDoor: door });
    expect(made.delivery).toBe(FRONT_DOOR);
    expect(await notices(group.name)).toEqual([]);
    expect(await waiting(onPages(ben))).toEqual([]);
    const [robin, other] = [aiOf(ben, door), aiOf(ben, home.uuid())];
    expect(await waiting(robin)).toEqual([id]);
    expect(home.items.find(id)).toMatchObject({ owner: ben.id, holder: door, box: 'front_door' });
    expect(await waiting(other)).toEqual([]);
    expect(await failure(passItem(other, id))).toMatch(/^not_found/);
    await passItem(robin, id, 'looks kind');
    expect(await home.waiting(onPages(ben))).toMatchObject([{ key: { id }, passedNote: 'looks kind' }]);
    expect(home.items.find(id)).toMatchObject({ holder: '', box: 'requests' });
    expect(await notices(group.name)).toMatchObject([{ person: ben.id }]);
    expect(await failure(passItem(robin, id))).toMatch(/^forbidden/);
    expect(await failure(acceptItem(robin, id))).toBe('forbidden needs_person');
    await acceptItem(onPages(ben), id);
    expect(await membersOf(group)).toContain(ben.id);
    expect((await list(ada, group)).invites[0]!.delivery).toBe(FRONT_DOOR);
  });

  test('is also passed on when the AI accepts', async () => {
    const door = home.uuid();
    const { ben, group, id } = await invited({ how: 'front_door', frontDoor: door });
    expect((await acceptItem(aiOf(ben, door), id, 'looks kind')).status).toBe('passed');
    expect(await home.waiting(onPages(ben))).toMatchObject([{ key: { id }, passedNote: 'looks kind' }]);
    expect(await membersOf(group)).not.toContain(ben.id);
  });

  test('is returned by the AI with a note', async () => {
    const door = home.uuid();
    const { ada, ben, group, id } = await invited({ how: 'front_door', frontDoor: door });
    await declineItem(aiOf(ben, door), id, { note: 'no time' });
    expect((await list(ada, group)).invites[0]).toMatchObject({ why: 'declined' });
    expect(await lastNotice()).toMatchObject({ person: ada.id, body: 'no time' });
  });

  test('is returned silently where required', async () => {
    const { ada, ben, group, id } = await invited({ how: 'requests' });
    const before = (await notices(group.name)).length;
    await declineItem(onPages(ben), id, { silent: true });
    expect((await list(ada, group)).invites[0]).toMatchObject({ why: 'declined' });
    expect(await notices(group.name)).toHaveLength(before);
  });
});

describe('an invite to a minor from a person who shares no group with them', () => {
  const forChildren = { settings: { minors: Minors.GUARDIAN } };

  async function invitedChild(settings: object = {}) {
    names += 1;
    const [ada, gus] = [home.newPerson(), home.newPerson()];
    const ida = home.newPerson({ ageBand: CHILD, name: 'Ida Lovelace', guardians: [gus.id] });
    const group = await home.newGroup(ada, {
      name: `Reach ${names}.`,
      settings: { ...forChildren.settings, ...settings },
    });
    home.approvals.reach.set(ida.id, { how: 'requests', guardian: gus.id });
    const made = await invite(ada, group, { to: per(ida), forAge: CHILD });
    return { ada, gus, ida, group, made, id: uuidOf(made.id) };
  }

  test('waits for the guardian alone, who is notified of an invite for the child', async () => {
    const { gus, ida, group, made, id } = await invitedChild();
    expect(made.delivery).toBe(REQUESTED);
    expect(await waiting(onPages(ida))).toEqual([]);
    expect(await waiting(onPages(gus))).toEqual([id]);
    expect(home.items.find(id)).toMatchObject({ owner: ida.id, holder: gus.id, box: 'requests' });
    expect(await waiting(aiOf(gus, home.uuid()))).toEqual([]);
    expect(await notices(group.name)).toMatchObject([
      { person: gus.id, about: ida.id, title: expect.stringContaining('invites Ida L. to') },
    ]);
    const told = await lastNotice();
    expect(told).toMatchObject({ link: '/requests' });
    expect(textOf(told)).not.toContain(made.code);
  });

  test('is accepted by the guardian, which counts as consent', async () => {
    const { gus, ida, group, id } = await invitedChild({ joinReview: JoinReview.NONE });
    const answer = await acceptItem(onPages(gus), id);
    expect(answer).toMatchObject({
      status: 'joined',
      next: `Ida Lovelace is in ${group.name} now.`,
    });
    expect(await membersOf(group)).toContain(ida.id);
    expect(home.approvals.asked.filter(({ person }) => person === ida.id)).toEqual([]);
  });

  test('then waits for an organizer where the group reviews', async () => {
    const { ada, gus, ida, group, id } = await invitedChild({ joinReview: JoinReview.ALL });
    const answer = await acceptItem(onPages(gus), id);
    expect(answer).toMatchObject({ status: 'waiting', next: expect.stringContaining('organizer') });
    const [ask, ...more] = home.approvals.asked.filter(({ person }) => person === ida.id);
    expect([ask?.role, ask?.to, more]).toEqual(['organizer', [ada.id], []]);
    await home.settle(ask!.id, 'approved', ada);
    await follows(async () => expect(await membersOf(group)).toContain(ida.id));
  });

  test('cannot be answered by the child, their AI or a former guardian', async () => {
    const { gus, ida, id } = await invitedChild();
    const tries = (caller: Caller) => failure(acceptItem(caller, id));
    for (const caller of [onPages(ida), aiOf(ida, home.uuid()), aiOf(gus, home.uuid()), as(home.newPerson())])
      expect(await tries(caller)).toMatch(/^not_found/);
    await home.changePerson(ida, { guardians: [home.newPerson().id] });
    await follows(async () => expect(await tries(onPages(gus))).toMatch(/^not_found/));
  });

  test('is declined by the guardian, and by blocking the sender', async () => {
    const one = await invitedChild();
    await declineItem(onPages(one.gus), one.id);
    expect((await list(one.ada, one.group)).invites[0]).toMatchObject({ why: 'declined' });
    const two = await invitedChild();
    await home.move(two.id, { case: 'end', value: 'blocked' });
    expect(await waiting(onPages(two.gus))).toEqual([]);
    expect((await list(two.ada, two.group)).invites[0]).toMatchObject({ why: 'declined' });
  });
});

describe('the next step', () => {
  const child = (gus: PersonFacts) =>
    home.newPerson({ ageBand: CHILD, name: 'Ida Lovelace', guardians: [gus.id] });

  test('is shown to a person who opens an invite', async () => {
    const [ada, gus, ben] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const settings = { minors: Minors.GUARDIAN, joinReview: JoinReview.MINORS };
    const group = await home.newGroup(ada, { name: 'Walks', settings });
    const grown = await invite(ada, group);
    expect((await accept(ben, grown.code!)).next).toBe('You are in Walks now.');
    const young = await invite(ada, group, { forAge: CHILD });
    expect((await accept(child(gus), young.code!)).next).toMatch(/^Your guardian is asked first/);
  });
});
