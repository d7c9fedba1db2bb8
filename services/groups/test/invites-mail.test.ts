import { hour } from '@hearth/clock';
import { sql } from '@hearth/db';
import { InviteState } from '@hearth/proto/groups/v1/invites';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { aiOf, as, failure, startGroups, uuidOf } from './start-groups.ts';

const home = await startGroups({ HEARTH_LIMITS: '{"invite_mails_a_day": 12, "open_invites_a_group": 12}' });
afterAll(() => home.stop());
afterEach(() => {
  home.approvals.reaches.length = 0;
});

const { invite, list, peek, by, club } = home;
const stored = () =>
  home.database.db.query<{ invite: string; code: Buffer }>(sql`select invite, code from groups.mails`);

async function mailed(to = 'ben@mail.example') {
  const { group, ada } = await club({ name: 'By mail' });
  const made = await invite(ada, group, { to });
  return { ada, group, made, id: uuidOf(made.id) };
}

describe('an invite to an email address', () => {
  test('is announced as mailed once, however often it is requested, and delivers the link', async () => {
    const { group, ada } = await club({ name: 'By mail' });
    const make = () => invite(ada, group, { to: ' Ben.Smith+x@Mail.example', requestId: 'one' });
    const made = await make();
    expect((await make()).url).toBe(made.url);
    await invite(ada, group);
    const created = (await home.events(group)).flatMap(({ data }) =>
      data.case === 'inviteCreated' ? [[data.value.invite, data.value.mailed]] : [],
    );
    expect(created).toEqual([
      [uuidOf(made.id), true],
      [expect.anything(), false],
    ]);
    const [mail] = await home.prepare(uuidOf(made.id));
    expect(mail).toMatchObject({
      to: 'ben.smith+x@mail.example',
      subject: `${ada.name} invited you to By mail`,
    });
    expect(mail!.text).toContain(made.url);
    expect((await peek(made.url!)).state).toBe(InviteState.OK);
  });

  test('keeps the code encrypted, and only while delivery is tried; the link keeps working', async () => {
    const { made, id } = await mailed();
    const row = (await stored()).find((mail) => mail.invite === id);
    expect(row!.code.toString('latin1')).not.toContain(made.code);
    home.clock.advance(9 * hour);
    await home.expireInvites();
    expect(await home.prepare(id)).toMatchObject([{ to: 'ben@mail.example' }]);
    home.clock.advance(3 * hour);
    await home.expireInvites();
    expect(await stored()).toEqual([]);
    expect(await home.prepare(id)).toEqual([null]);
    expect((await peek(made.code!)).state).toBe(InviteState.OK);
  });

  test('is not sent once revoked', async () => {
    const { ada, made, id } = await mailed();
    await by(ada).revokeInvite({ code: made.code! });
    expect(await home.prepare(id)).toEqual([null]);
    expect((await stored()).map(({ invite: uuid }) => uuid)).not.toContain(id);
  });

  test('is not sent when it expired, its group is archived, or it was never mailed', async () => {
    const archived = await mailed();
    await by(as(archived.ada)).archiveGroup({ id: archived.group.id });
    const linked = await invite(archived.ada, await home.newGroup(archived.ada));
    const over = await mailed();
    const goes = await mailed();
    await home.run(
      sql`update groups.invites set expires_at = ${new Date(home.clock.now())} where id = ${over.id}`,
    );
    const asked = [archived.id, goes.id, uuidOf(linked.id), over.id, home.uuid(), 'x'];
    expect(await home.prepare(...asked)).toMatchObject([
      null,
      { to: 'ben@mail.example' },
      ...[null, null, null, null],
    ]);
  });

  test("is not sent where the recipient's rules refuse it, without telling the inviter", async () => {
    home.approvals.reach.set('away@mail.example', { how: 'turned_away' });
    const [anyone, away] = [await mailed('anyone@mail.example'), await mailed('away@mail.example')];
    expect(await home.prepare(anyone.id, away.id)).toMatchObject([{ to: 'anyone@mail.example' }, null]);
    const shown = [];
    for (const { ada, group, made } of [anyone, away]) {
      const { id, code, url, createdBy, group: of, ...rest } = made;
      const [listed] = (await list(ada, group)).invites;
      shown.push([rest, listed!.status, listed!.why, listed!.delivery]);
    }
    expect(shown[0]).toEqual(shown[1]);
  });

  test("asks the recipient's rules on behalf of the AI that creates it, with its owner", async () => {
    const { group, ada } = await club();
    const helper = home.uuid();
    const request = { id: group.id, to: 'ben@mail.example' };
    const { id } = await by(aiOf(ada, helper)).createInvite(request);
    expect(home.approvals.reaches).toEqual([]);
    await home.prepare(uuidOf(id));
    expect(home.approvals.reaches).toMatchObject([
      {
        ...{ sender: helper, senderKind: 'ai', senderPerson: ada.id, checked: true },
        ...{ recipient: '', recipientEmail: 'ben@mail.example', count: false },
      },
    ]);
  });

  test("waits until approvals can check the recipient's rules", async () => {
    const { id } = await mailed();
    home.peers.away('approvals');
    expect(await failure(home.prepare(id))).toMatch(/^unavailable/);
    home.peers.back('approvals');
    expect(await home.prepare(id)).toMatchObject([{ to: 'ben@mail.example' }]);
  });

  test('that waited in the previous version goes to delivery once, when it is due', async () => {
    const [due, later] = [await mailed(), await mailed()];
    const wait = (id: string, at: number) =>
      home.run(
        sql`update groups.mails set deletes_at = null, attempts = 2, next_at = ${new Date(at)} where invite = ${id}`,
      );
    await wait(due.id, home.clock.now());
    await wait(later.id, home.clock.now() + hour);
    const announced = async () =>
      (await home.events()).flatMap(({ data }) =>
        data.case === 'sendDue' ? [[data.value.kind, data.value.id]] : [],
      );
    await home.runJob('groups: take-over-mails');
    await home.runJob('groups: take-over-mails');
    expect(await announced()).toEqual([['invite_mail', due.id]]);
    expect(await home.prepare(due.id)).toMatchObject([{ to: 'ben@mail.example' }]);
    home.clock.advance(hour);
    await home.runJob('groups: take-over-mails');
    expect(await announced()).toEqual([
      ['invite_mail', due.id],
      ['invite_mail', later.id],
    ]);
    home.clock.advance(12 * hour);
    await home.expireInvites();
    expect(await stored()).toEqual([]);
  });

  test('is for one address, with a daily limit', async () => {
    const { group, ada } = await club();
    for (const to of ['a@b', 'a b@mail.example', 'a@mail.example, b@mail.example', '"a"@mail.example', 'ada'])
      expect(await failure(invite(ada, group, { to }))).toBe('bad_request bad_field to');
    expect(await failure(invite(ada, group, { to: '@ben.ai-x@other.example' }))).toBe(
      'bad_request bad_field to',
    );
    const mail = (to: string, into = group) => invite(ada, into, { to: `${to}@mail.example` });
    for (let made = 0; made < 11; made += 1) await mail(`n${made}`);
    await invite(ada, group);
    // A mail refused because the group is full doesn't count against the day.
    expect(await failure(mail('one'))).toBe('bad_request cap_reached');
    const other = await home.newGroup(ada);
    await mail('one', other);
    expect(await failure(mail('two', other))).toBe('rate_limited rate_limited');
  });
});
