import { InviteState } from '@hearth/proto/groups/v1/invites';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from './eventually.ts';
import { failure, invitesOf } from './invites.ts';
import { aiOf, as, startGroups } from './start-groups.ts';

const home = await startGroups({ HEARTH_LIMITS: '{"invite_mails_a_day": 12}' });
afterAll(() => home.stop());
afterEach(() => {
  home.peers.back('delivery');
  home.mails.length = 0;
  home.approvals.reaches.length = 0;
});

const { invite, list, peek } = invitesOf(home);
const count = async () =>
  (await home.database.db.one<{ n: number }>({ text: 'select count(*)::int as n from groups.mails' })).n;

/** No mail is left to be sent. */
const sent = () => eventually(async () => expect(await count()).toBe(0));
const mailedTo = () => home.mails.map(({ to }) => to);

describe('an invite to an e-mail address', () => {
  test('brings the link, once however often it is asked for', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada, { name: 'By mail' });
    const made = await invite(ada, group, { to: ' Ben.Smith+x@Mail.example', requestId: 'one' });
    expect((await invite(ada, group, { to: ' Ben.Smith+x@Mail.example', requestId: 'one' })).url).toBe(
      made.url,
    );
    await sent();
    expect(home.mails).toMatchObject([
      { to: 'ben.smith+x@mail.example', kind: 'invite', subject: `${ada.name} invites you to By mail` },
    ]);
    expect(home.mails[0]!.text).toContain(made.url);
    expect((await peek(made.url!)).state).toBe(InviteState.OK);
  });

  test('keeps neither the address nor the code in clear, and both no longer than until it went out', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada);
    home.peers.away('delivery');
    const made = await invite(ada, group, { to: 'ben@mail.example' });
    const rows = await eventually(async () => {
      const found = await home.database.db.query<{ code: Buffer; attempts: number }>({
        text: 'select code, attempts from groups.mails where attempts = 1',
      });
      expect(found).toHaveLength(1);
      return found;
    });
    expect(rows[0]!.code.toString('latin1')).not.toContain(made.code);
    home.peers.back('delivery');
    // It is retried a minute later.
    home.clock.advance(60_000);
    await sent();
    expect(mailedTo()).toEqual(['ben@mail.example']);
  });

  test('is given up after a while; the link works on', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada);
    home.peers.away('delivery');
    const made = await invite(ada, group, { to: 'ben@mail.example' });
    await eventually(async () => expect(await tries()).toBe(1));
    await home.database.statement((tx) => tx.execute({ text: 'update groups.mails set attempts = 5' }));
    home.clock.advance(60_000);
    await sent();
    expect((await peek(made.code!)).state).toBe(InviteState.OK);
  });

  test('does not go out any more when it was taken back', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada);
    home.peers.away('delivery');
    const made = await invite(ada, group, { to: 'ben@mail.example' });
    await eventually(async () => expect(await tries()).toBe(1));
    home.peers.back('delivery');
    await home.invites.revokeInvite({ code: made.code! }, { caller: as(ada) });
    home.clock.advance(60_000);
    await sent();
    expect(home.mails).toEqual([]);
  });

  test('does not go where their rules keep it away, and whoever invites cannot tell', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada);
    home.approvals.reach.set('away@mail.example', { how: 'turned_away' });
    const answers = [];
    for (const to of ['anyone@mail.example', 'away@mail.example']) {
      const { id, code, url, ...rest } = await invite(ada, group, { to });
      answers.push(rest);
    }
    expect(answers[0]).toEqual(answers[1]);
    await sent();
    expect(mailedTo()).toEqual(['anyone@mail.example']);
    for (const one of (await list(ada, group)).invites)
      expect([one.status, one.why, one.delivery]).toEqual([1, undefined, undefined]);
  });

  test('asks for the AI that makes it, with its owner', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada);
    const helper = home.uuid();
    await home.invites.createInvite({ id: group.id, to: 'ben@mail.example' }, { caller: aiOf(ada, helper) });
    await sent();
    expect(home.approvals.reaches).toMatchObject([
      {
        ...{ sender: helper, senderKind: 'ai', senderPerson: ada.id, checked: true },
        ...{ recipient: '', recipientEmail: 'ben@mail.example', count: false },
      },
    ]);
  });

  test('waits until approvals can tell who lets it through', async () => {
    const [ada, ben] = [home.newPerson(), home.newPerson({ email: 'later@mail.example' })];
    const group = await home.newGroup(ada);
    home.peers.away('approvals');
    await invite(ada, group, { to: ben.email });
    await eventually(async () => expect(await tries()).toBe(1));
    expect(home.mails).toEqual([]);
    home.peers.back('approvals');
    home.clock.advance(60_000);
    await sent();
    expect(mailedTo()).toEqual([ben.email]);
  });

  test('is for one address, and so many a day', async () => {
    const ada = home.newPerson();
    const group = await home.newGroup(ada);
    for (const to of ['a@b', 'a b@mail.example', 'a@mail.example, b@mail.example', '"a"@mail.example', 'ada'])
      expect(await failure(invite(ada, group, { to }))).toBe('bad_request bad_field to');
    expect(await failure(invite(ada, group, { to: '@ben@other.example' }))).toBe('not_built not_built');
    for (let made = 0; made < 12; made += 1) await invite(ada, group, { to: `n${made}@mail.example` });
    expect(await failure(invite(ada, group, { to: 'one@mail.example' }))).toBe('rate_limited rate_limited');
  });
});

async function tries(): Promise<number> {
  const [row] = await home.database.db.query<{ attempts: number }>({
    text: 'select attempts from groups.mails',
  });
  return row?.attempts ?? -1;
}
