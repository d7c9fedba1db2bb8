import { InviteStatus } from '@hearth/proto/groups/v1/invites';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { everyPage, failure, startGroups } from './start-groups.ts';

const siteUrl = 'https://hearth.example';
const home = await startGroups({
  HEARTH_SITE_URL: siteUrl,
  HEARTH_LIMITS: '{"wrong_codes_a_minute": 1000, "open_invites_a_group": 5}',
});
afterAll(() => home.stop());
afterEach(() => {
  home.peers.back('delivery');
});

const { accept, happened, invite, list, by, club, invited } = home;

describe('list_invites', () => {
  test('pages newest first, filtered by status', async () => {
    const { group, ada } = await club();
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.unshift((await invite(ada, group)).id);
      if (index === 2) home.clock.advance(1_000);
    }
    const pages = await everyPage((at) => list(ada, group, { limit: 2, ...at }));
    const seen = pages.flatMap(({ invites }) => invites.map(({ id }) => id));
    expect([...seen].sort()).toEqual([...made].sort());
    expect(new Set(seen.slice(0, 2))).toEqual(new Set(made.slice(0, 2)));
    await by(ada).revokeInvite({ code: made[0]! });
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
    const { group, ada, ben } = await club();
    for (const pick of ['code', 'url', 'id'] as const) {
      const made = await invite(ada, group);
      const call = () => by(ada).revokeInvite({ code: made[pick]! });
      expect(await call()).toMatchObject({ id: made.id, status: InviteStatus.DECLINED, why: 'revoked' });
      expect(await call()).toMatchObject({ why: 'revoked' });
      expect(await failure(accept(ben, made.code!))).toBe('bad_request not_waiting');
    }
    expect((await happened(group)).filter((name) => name === 'inviteEnded')).toHaveLength(3);
    const used = await invite(ada, group);
    await accept(ben, used.code!);
    const late = by(ada).revokeInvite({ code: used.id });
    expect(await failure(late)).toBe('bad_request already_settled');
  });

  test('ends all join requests that wait by it', async () => {
    const { group, ada, ben, cyd, code } = await invited({ settings: { joinReview: 3 } }, { reusable: true });
    await accept(ben, code);
    await accept(cyd, code);
    await by(ada).revokeInvite({ code: code });
    const ended = (await home.events(group)).filter(({ data }) => data.case === 'inviteEnded');
    expect(ended.map(({ data }) => (data.value as { person?: { id: string } }).person?.id).sort()).toEqual(
      [ben.id, cyd.id].sort(),
    );
    expect((await list(ada, group)).invites[0]!.waiting).toEqual([]);
    expect(await failure(accept(ben, code))).toBe('bad_request not_waiting');
  });
});
