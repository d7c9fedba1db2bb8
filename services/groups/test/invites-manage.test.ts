import { InviteStatus } from '@hearth/proto/groups/v1/invites';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { failure, invitesOf } from './invites.ts';
import { as, startGroups } from './start-groups.ts';

const siteUrl = 'https://hearth.example';
const home = await startGroups({
  HEARTH_SITE_URL: siteUrl,
  HEARTH_LIMITS: '{"wrong_codes_a_minute": 1000, "open_invites_a_group": 5}',
});
afterAll(() => home.stop());
afterEach(() => {
  home.peers.back('delivery');
});

const { accept, happened, invite, list } = invitesOf(home);

describe('list_invites', () => {
  test('goes page by page, newest first, and by status', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada);
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.unshift((await invite(ada, group)).id);
      if (index === 2) home.clock.advance(1_000);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(ada, group, { limit: 2, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.invites.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect([...seen].sort()).toEqual([...made].sort());
    expect(new Set(seen.slice(0, 2))).toEqual(new Set(made.slice(0, 2)));
    await home.invites.revokeInvite({ code: made[0]! }, { caller: as(ada) });
    const declined = await list(ada, group, { status: InviteStatus.DECLINED });
    expect(declined.invites.map(({ id }) => id)).toEqual([made[0]]);
    home.clock.advance(8 * 86_400_000);
    expect((await list(ada, group, { status: InviteStatus.DECLINED })).invites).toHaveLength(5);
    expect((await list(ada, group, { status: InviteStatus.WAITING })).invites).toEqual([]);
    expect(await failure(list(ada, group, { cursor: 'x' }))).toBe('bad_request bad_field cursor');
  });
});

describe('revoke_invite', () => {
  test('ends it for good, by code, link or id, for organizers', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson()];
    const group = await home.newGroup(ada);
    for (const pick of ['code', 'url', 'id'] as const) {
      const made = await invite(ada, group);
      const call = () => home.invites.revokeInvite({ code: made[pick]! }, { caller: as(ada) });
      expect(await call()).toMatchObject({ id: made.id, status: InviteStatus.DECLINED, why: 'revoked' });
      expect(await call()).toMatchObject({ why: 'revoked' });
      expect(await failure(accept(ben, made.code!))).toBe('bad_request not_waiting');
    }
    expect((await happened(group)).filter((name) => name === 'inviteEnded')).toHaveLength(3);
    const used = await invite(ada, group);
    await accept(ben, used.code!);
    const late = home.invites.revokeInvite({ code: used.id }, { caller: as(ada) });
    expect(await failure(late)).toBe('bad_request already_settled');
  });

  test('ends the wishes of all who wait by it', async () => {
    const [ada, ben, cyd] = [home.newPerson(), home.newPerson(), home.newPerson()];
    const group = await home.newGroup(ada, { settings: { joinReview: 3 } });
    const { code } = await invite(ada, group, { reusable: true });
    await accept(ben, code!);
    await accept(cyd, code!);
    await home.invites.revokeInvite({ code: code! }, { caller: as(ada) });
    const ended = (await home.events(group)).filter(({ data }) => data.case === 'inviteEnded');
    expect(ended.map(({ data }) => (data.value as { person?: { id: string } }).person?.id).sort()).toEqual(
      [ben.id, cyd.id].sort(),
    );
    expect((await list(ada, group)).invites[0]!.waiting).toEqual([]);
    expect(await failure(accept(ben, code!))).toBe('bad_request not_waiting');
  });
});
