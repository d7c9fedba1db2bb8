import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { sql } from '@hearth/db';
import { JoinReview } from '@hearth/proto/groups/v1/groups';
import {
  type Invite,
  InviteState,
  InviteStatus,
  JoinStatus,
  ReviewDecision,
} from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { follows } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { failure, onPages, per, startGroups, uuidOf } from './start-groups.ts';

const home = await startGroups({ HEARTH_LIMITS: '{"wrong_codes_a_minute": 1000}' });
afterAll(() => home.stop());

const { accept, happened, invite, list, notices, peek, review, by, club, invited } = home;
const { APPROVED } = ReviewDecision;

const reviewed = { joinReview: JoinReview.ALL };

describe('withdraw_join', () => {
  const withdraw = (person: PersonFacts, code: string) => by(onPages(person)).withdrawJoin({ code });

  test('withdraws a join request, and with it a one-time invite', async () => {
    const { ada, ben, group, code } = await invited({ name: home.newName(), settings: reviewed });
    await accept(ben, code);
    expect(await withdraw(ben, code)).toMatchObject({ withdrawn: true });
    expect(await withdraw(ben, code)).toMatchObject({ withdrawn: true });
    expect((await list(ada, group)).invites[0]).toMatchObject({ why: 'withdrawn', waiting: [] });
    expect(await failure(review(ada, code, APPROVED))).toBe('bad_request not_waiting');
    expect((await happened(group)).filter((name) => name === 'inviteEnded')).toHaveLength(1);
    expect((await notices(group.name)).at(-1)).toMatchObject({ person: ada.id, kind: 'invite' });
  });

  test('keeps a link open, by which they can ask again', async () => {
    const { ada, ben, group, code } = await invited(
      { name: home.newName(), settings: reviewed },
      { reusable: true },
    );
    await accept(ben, code);
    await withdraw(ben, code);
    expect((await list(ada, group)).invites[0]).toMatchObject({ status: InviteStatus.WAITING, waiting: [] });
    expect((await accept(ben, code)).status).toBe(JoinStatus.WAITING);
    expect(await review(ada, code, APPROVED)).toMatchObject({ member: { person: { id: per(ben) } } });
    expect(await failure(withdraw(ben, code))).toBe('bad_request not_waiting');
  });

  test('by the recipient of an unanswered invite declines it', async () => {
    const { ada, ben, group } = await club({ name: home.newName() });
    const { id, code } = await invite(ada, group, { to: `@${ben.handle}`, invitee: 'Ben' });
    expect(await failure(withdraw(home.newPerson(), code!))).toBe('not_found not_found');
    await withdraw(ben, id);
    await withdraw(ben, id);
    expect((await list(ada, group)).invites[0]).toMatchObject({ why: 'declined' });
    expect((await notices(group.name)).at(-1)).toMatchObject({
      person: ada.id,
      title: `Your invite to ${group.name} for Ben was declined`,
    });
  });
});

describe('a person who joined by another invite', () => {
  test('uses up other invites sent to them for the group, and no longer waits by any', async () => {
    const { ada, ben, group, code } = await invited(
      { name: home.newName(), settings: reviewed },
      { reusable: true },
    );
    const to = `@${ben.handle}`;
    const [one, other] = [await invite(ada, group, { to }), await invite(ada, group, { to })];
    await accept(ben, one.code!);
    const { approval } = await accept(ben, code);
    await review(ada, one.code!, APPROVED);
    await follows(async () => {
      const { invites } = await list(ada, group);
      expect(invites.map(({ waiting }) => waiting)).toEqual([[], [], []]);
      const statusOf = (of: (invite: Invite) => boolean) => invites.find(of)?.status;
      expect(statusOf(({ id }) => id === one.id)).toBe(InviteStatus.USED);
      expect(statusOf(({ id }) => id === other.id)).toBe(InviteStatus.USED);
      expect(statusOf(({ reusable }) => reusable)).toBe(InviteStatus.WAITING);
    });
    expect(await peek(other.code!)).toMatchObject({ state: InviteState.USED });
    expect(await failure(accept(ben, other.code!))).toBe('bad_request already_settled');
    expect((await accept(ben, code)).status).toBe(JoinStatus.JOINED);
    await follows(async () => expect(home.approvals.cancelled).toContain(uuidOf(approval!)));
    expect(await happened(group)).not.toContain('inviteEnded');
  });
});

describe('expiry', () => {
  test('ends an invite and its join requests, announced once by the job', async () => {
    const { ada, ben, group } = await club({ name: home.newName(), settings: reviewed });
    const expiresAt = timestampFromDate(new Date(home.clock.now() + 60_000));
    const { code } = await invite(ada, group, { expiresAt });
    await accept(ben, code!);
    await Promise.all([home.expireInvites(), home.expireInvites()]);
    expect((await list(ada, group)).invites[0]!.status).toBe(InviteStatus.WAITING);
    home.clock.advance(60_000);
    expect((await list(ada, group)).invites[0]).toMatchObject({ why: 'expired', waiting: [] });
    expect(await failure(review(ada, code!, APPROVED))).toBe('bad_request not_waiting');
    await Promise.all([home.expireInvites(), home.expireInvites()]);
    const ended = (await home.events(group)).filter(({ data }) => data.case === 'inviteEnded');
    expect(ended.map(({ data, by }) => [data.value, by])).toMatchObject([
      [{ why: 'expired', person: { id: ben.id } }, undefined],
    ]);
    expect((await notices(group.name)).at(-1)).toMatchObject({
      person: ada.id,
      title: `Your invite to ${group.name} has expired`,
    });
  });

  test('deletes invites that ended long ago', async () => {
    const { ada, group } = await club({ name: home.newName() });
    const [open, used] = [await invite(ada, group, { reusable: true }), await invite(ada, group)];
    await accept(home.newPerson(), used.code!);
    home.clock.advance(89 * 86_400_000);
    await home.expireInvites();
    expect((await list(ada, group)).invites.map(({ id }) => id).sort()).toEqual([open.id, used.id].sort());
    home.clock.advance(9 * 86_400_000);
    await home.expireInvites();
    const left = await home.database.db.query<{ id: string }>(
      sql`select id from groups.invites where "group" = ${uuidOf(group.id)}`,
    );
    expect(left.map(({ id }) => id)).toEqual([]);
  });

  test('deleting an account withdraws its join requests', async () => {
    const { ada, ben, group, code } = await invited(
      { name: home.newName(), settings: reviewed },
      { reusable: true, maxUses: 1 },
    );
    await accept(ben, code, { note: 'a word of mine' });
    await home.fromIdentity.dropPerson({ person: ben.id });
    expect((await list(ada, group)).invites[0]!.waiting).toEqual([]);
    expect((await peek(code)).state).toBe(InviteState.OK);
    const rows = await home.database.db.query(
      sql`select note, status from groups.joins where person = ${ben.id}`,
    );
    expect(rows).toEqual([{ note: '', status: 'withdrawn' }]);
  });
});
