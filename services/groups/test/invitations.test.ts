import { JoinStatus } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { afterAll, describe, expect, test } from '@jest/globals';
import { eventually } from './eventually.ts';
import { failure, invitesOf, onPages } from './invites.ts';
import { startGroups, uuidOf } from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

const { invite, accept, happened, list } = invitesOf(home);
const waiting = async (person: PersonFacts, more = {}) =>
  (await home.invitations.listInvitations({ person: person.id, limit: 20, ...more })).invitations;

async function invited() {
  const [ada, ben] = [home.newPerson(), home.newPerson()];
  const group = await home.newGroup(ada);
  const made = await invite(ada, group, { to: `@${ben.handle}` });
  return { ada, ben, group, made, id: uuidOf(made.id) };
}

describe('an invite that was sent to somebody', () => {
  test('waits for them, and for nobody else', async () => {
    const { ada, ben, group, id } = await invited();
    expect(await waiting(ben)).toMatchObject([
      {
        id,
        group: uuidOf(group.id),
        groupName: group.name,
        createdByPerson: ada.id,
        createdByName: ada.name,
      },
    ]);
    expect(await waiting(ada)).toEqual([]);
    expect((await home.invitations.findInvitation({ person: ben.id, id })).invitation?.id).toBe(id);
    expect((await home.invitations.findInvitation({ person: ada.id, id })).invitation).toBeUndefined();
    expect((await home.invitations.findInvitation({ person: 'x', id: 'y' })).invitation).toBeUndefined();
    expect(await waiting({ ...ben, id: 'x' } as PersonFacts)).toEqual([]);
  });

  test('is read from a place on, the newest first', async () => {
    const { ben, id } = await invited();
    home.clock.advance(1_000);
    const [ada, cleo] = [home.newPerson(), home.newPerson()];
    const second = await invite(ada, await home.newGroup(ada), { to: `@${ben.handle}` });
    const all = await waiting(ben);
    expect(all.map((one) => one.id)).toEqual([uuidOf(second.id), id]);
    expect(await waiting(ben, { limit: 1 })).toHaveLength(1);
    const rest = await waiting(ben, { beforeAt: all[0]!.at, beforeId: all[0]!.id });
    expect(rest.map((one) => one.id)).toEqual([id]);
    expect(await waiting(cleo)).toEqual([]);
  });

  test('from somebody of the same group is no request', async () => {
    const { ada, ben } = await invited();
    const shared = await home.newGroup(ada);
    await home.put(shared, ben);
    expect(await waiting(ben)).toEqual([]);
  });

  test('waits no more once it is over, or asked for', async () => {
    const [first, second] = [await invited(), await invited()];
    home.clock.advance(8 * 86_400_000);
    expect(await waiting(first.ben)).toEqual([]);
    const reviewed = await home.newGroup(second.ada, { settings: { joinReview: 3 } });
    const made = await invite(second.ada, reviewed, { to: `@${second.ben.handle}` });
    expect(await waiting(second.ben)).toHaveLength(1);
    await accept(second.ben, made.code!);
    expect(await waiting(second.ben)).toEqual([]);
  });

  test('is followed, or sent back, by whom it was sent to', async () => {
    const { ben, id, group } = await invited();
    const eve = home.newPerson();
    expect(await failure(home.invitations.acceptInvitation({ id }, { caller: onPages(eve) }))).toMatch(
      /^not_found/,
    );
    expect(await failure(home.invitations.declineInvitation({ id }, { caller: onPages(eve) }))).toMatch(
      /^not_found/,
    );
    const joined = await home.invitations.acceptInvitation({ id }, { caller: onPages(ben) });
    expect(joined.status).toBe(JoinStatus.JOINED);
    expect(await happened(group)).toContain('memberJoined');
    const back = await invited();
    await home.invitations.declineInvitation({ id: back.id }, { caller: onPages(back.ben) });
    expect(await waiting(back.ben)).toEqual([]);
    expect((await list(back.ada, back.group)).invites[0]).toMatchObject({ why: 'declined' });
  });

  test('goes with a block of who sent it, without a word', async () => {
    const { ada, ben, group } = await invited();
    const before = await happened(group);
    await home.publish({
      case: 'blocked',
      value: { person: ben.id, target: `@${ada.handle}`, targetId: ada.id },
    });
    await eventually(async () => expect(await waiting(ben)).toEqual([]));
    expect(await happened(group)).toEqual(before);
  });
});
