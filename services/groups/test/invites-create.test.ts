import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { InviteState, InviteStatus, JoinStatus, JoinVia } from '@hearth/proto/groups/v1/invites';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  ADULT,
  aiOf,
  appAlone,
  as,
  CHILD,
  failure,
  groupAi,
  onPages,
  per,
  startGroups,
  TEEN13,
} from './start-groups.ts';

const siteUrl = 'https://hearth.example';
const home = await startGroups({
  HEARTH_SITE_URL: siteUrl,
  HEARTH_LIMITS: '{"wrong_codes_a_minute": 1000, "open_invites_a_group": 5}',
});
afterAll(() => home.stop());

const { accept, invite, list, notices, peek, by, club } = home;
const inDays = (days: number) => timestampFromDate(new Date(home.clock.now() + days * 86_400_000));

describe('create_invite', () => {
  test('creates a code that is shown once and never stored', async () => {
    const { group, ada } = await club();
    const made = await invite(ada, group, { invitee: 'Ben' });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^inv_[0-9a-f]{32}$/),
      code: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      group: group.id,
      reusable: false,
      forAge: ADULT,
      invitee: 'Ben',
      createdBy: per(ada),
      status: InviteStatus.WAITING,
      expiresAt: inDays(7),
      waiting: [],
    });
    expect(made.url).toBe(`${siteUrl}/i/${made.code}`);
    expect([made.uses, made.maxUses, made.why, made.itemRef]).toEqual(Array(4).fill(undefined));
    const [listed] = (await list(ada, group)).invites;
    expect(listed).toMatchObject({ id: made.id, invitee: 'Ben', status: InviteStatus.WAITING });
    expect([listed!.code, listed!.url]).toEqual([undefined, undefined]);
    const rows = await home.database.db.query<{
      all: string;
    }>(sql`select (i.*)::text || encode(i.code_hash, 'escape') as all from groups.invites i
             union all select (o.*)::text || encode(o.event, 'escape') from groups.outbox o
             union all select (r.*)::text from groups.requests r`);
    expect(rows.some(({ all }) => all.includes(made.code!))).toBe(false);
  });

  test('creates reusable links, and items in apps', async () => {
    const { group, ada } = await club({ settings: { minors: 3 } });
    const made = await invite(ada, group, {
      reusable: true,
      maxUses: 3,
      forAge: TEEN13,
      itemRef: 'event-7',
      expiresAt: inDays(365),
    });
    expect(made).toMatchObject({ reusable: true, uses: 0, maxUses: 3, forAge: TEEN13, itemRef: 'event-7' });
    expect((await invite(ada, group, { reusable: true })).maxUses).toBe(100);
  });

  test.each([
    ['expires_at', { expiresAt: timestampFromDate(new Date('2026-03-01T11:59:59Z')) }],
    ['expires_at', { expiresAt: timestampFromDate(new Date('2026-04-01T12:00:00Z')) }],
    ['expires_at', { reusable: true, expiresAt: timestampFromDate(new Date('2027-03-02T12:00:00Z')) }],
    ['max_uses', { maxUses: 2 }],
    ['to', { to: 'nonsense' }],
    ['to', { to: '&club' }],
  ])('refuses a bad %s: %j', async (field, fields) => {
    const { group, ada } = await club();
    expect(await failure(invite(ada, group, fields))).toBe(`bad_request bad_field ${field}`);
  });

  test('is limited to organizers, themselves or through their AIs and apps', async () => {
    const { group, ada, ben, eve } = await club({ members: ['ben'] });
    const ai = home.uuid();
    const byAi = await by(aiOf(ada, ai)).createInvite({ id: group.address });
    expect(byAi.createdBy).toBe(printId('ai', ai));
    expect((await by(onPages(ada)).createInvite({ id: group.id })).createdBy).toBe(per(ada));
    const asked = [
      [as(ben), 'forbidden no_permission'],
      [aiOf(ben, home.uuid()), 'forbidden no_permission'],
      [as(eve), 'not_found not_found'],
      [groupAi(group), 'forbidden no_permission'],
      [appAlone(home.app), 'bad_request bad_field Svc-Acting-For'],
    ] as const;
    for (const [caller, words] of asked) {
      expect(await failure(by(caller).createInvite({ id: group.id }))).toBe(words);
      expect(await failure(by(caller).listInvites({ id: group.id }))).toBe(words);
      expect(await failure(by(caller).revokeInvite({ code: byAi.id }))).toBe(words);
    }
    const noApp = by(onPages(ada)).createInvite({ id: group.id, itemRef: 'x' });
    expect(await failure(noApp)).toBe('bad_request bad_field item_ref');
  });

  test('refuses minors in a group for adults, and everyone in an archived group', async () => {
    const { group, ada } = await club();
    expect(await failure(invite(ada, group, { forAge: CHILD }))).toBe(
      'bad_request minors_not_allowed for_age',
    );
    await by(ada).archiveGroup({ id: group.id });
    expect(await failure(invite(ada, group))).toBe('bad_request archived');
  });

  test('limits the open invites of a group', async () => {
    const { group, ada } = await club();
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => invite(ada, group)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await failure(invite(ada, group))).toBe('bad_request cap_reached');
    home.clock.advance(7 * 86_400_000);
    await invite(ada, group);
  });

  test('a repeated request_id creates one invite and returns its code again', async () => {
    const { group, ada } = await club();
    const made = await Promise.all(
      Array.from({ length: 5 }, () => invite(ada, group, { requestId: 'r', invitee: 'Ben' })),
    );
    expect(new Set(made.map(({ id, code, url }) => `${id} ${code} ${url}`)).size).toBe(1);
    expect((await list(ada, group)).invites).toHaveLength(1);
    expect(await failure(invite(ada, group, { requestId: 'r' }))).toBe(
      'bad_request request_id_reused request_id',
    );
  });
});

describe('a sent invite', () => {
  test('to a local person notifies them, with a link that works for them alone', async () => {
    const [ada, ben, eve] = [home.newPerson(), home.newPerson({ app: home.uuid() }), home.newPerson()];
    const group = await home.newGroup(ada, { name: 'Sent to Ben' });
    const made = await invite(ada, group, { to: `@${ben.handle}` });
    expect(await notices('Sent to Ben')).toEqual([
      { person: ben.id, kind: 'invite', title: `${ada.name} invites you to Sent to Ben`, about: '' },
    ]);
    const told = (await home.events()).findLast(
      ({ data }) => data.case === 'personNotified' && data.value.person === ben.id,
    );
    expect(told!.data.value).toMatchObject({ link: `/i/${made.id}`, apps: [ben.app] });
    expect((await peek(made.id)).state).toBe(InviteState.INVALID);
    expect((await peek(made.id, onPages(eve))).state).toBe(InviteState.INVALID);
    expect((await peek(made.id, onPages(ben))).state).toBe(InviteState.OK);
    expect(await failure(accept(eve, made.id))).toBe('not_found not_found');
    expect((await accept(ben, made.id, { via: JoinVia.INVITE })).status).toBe(JoinStatus.JOINED);
  });

  test('to an AI goes to its owner', async () => {
    const { group, ada, ben } = await club({ name: 'Sent to an AI' });
    home.world.newAi(ben, { address: '@ben.ai-robin' });
    home.world.newAi(undefined, { address: '@free-abc.ai-wren' });
    await invite(ada, group, { to: '@Ben.ai-Robin' });
    expect((await notices('Sent to an AI')).map(({ person }) => person)).toEqual([ben.id]);
    expect(await failure(invite(ada, group, { to: '@free-abc.ai-wren' }))).toBe('bad_request bad_field to');
    await expect(invite(ada, group, { to: '@ben@localhost:1' })).rejects.toThrow('@ada@home.example');
  });

  test('to an unknown person is not found, and to an invisible child is refused as if by a rule', async () => {
    const ada = home.newPerson();
    const child = home.newPerson({ ageBand: CHILD, app: home.uuid() });
    home.world.newAi(child, { address: '@child.ai-robin' });
    const group = await home.newGroup(ada, { settings: { minors: 2 } });
    const refusedTo = (to: string) => failure(invite(ada, group, { to, forAge: CHILD }));
    for (const to of ['@nobody-here', per(child), `shp_${'0'.repeat(32)}`])
      expect(await refusedTo(to)).toBe('not_found not_found');
    for (const to of [`@${child.handle}`, '@child.ai-robin'])
      expect(await refusedTo(to)).toBe('forbidden turned_away');
  });

  test('to a child goes to the guardian', async () => {
    const gus = home.newPerson();
    const child = home.newPerson({ ageBand: CHILD, name: 'Ida Lovelace', guardians: [gus.id] });
    const group = await home.newGroup(gus, { name: 'With Ida', settings: { minors: 2 } });
    expect(await failure(invite(gus, group, { to: per(child) }))).toBe('bad_request minors_not_allowed');
    await invite(gus, group, { to: per(child), forAge: CHILD });
    expect(await notices('With Ida')).toMatchObject([{ person: gus.id, about: child.id, kind: 'invite' }]);
  });

  test('to a member is refused', async () => {
    const { group, ada } = await club();
    expect(await failure(invite(ada, group, { to: `@${ada.handle}` }))).toBe(
      'bad_request already_settled to',
    );
  });
});
