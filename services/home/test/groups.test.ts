import { eventually } from '@hearth/testkit';
import { webVisitor, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, expect, test } from '@jest/globals';
import { startWholeHome } from './support/whole-home.ts';

/** A group created on the home's own pages, without an app or AI: with invites, posts and departures. */

const home = await startWholeHome();
afterAll(() => home.stop());

const birth = { birth_month: '7', birth_year: '1990' };

test('a person creates a group and invites a guest, who joins, posts and leaves', async () => {
  const ada = await home.signIn('ada@example.com');
  expect((await ada.open('/me')).text).toContain('href="/groups"');
  const made = await ada.send(await ada.open('/groups'), '/groups', { name: 'Rowing <club>', minors: 'no' });
  expect(wordsOf(made)).toMatch(/Rowing <club> .*Group created\..* Your role organizer .*No posts yet\./);
  const invites = await ada.open('/g/rowing-club/invites');
  const link = await ada.send(invites, '/g/rowing-club/invites', { invitee: 'Grace' });
  const [, invite = ''] = /(\/i\/\w+)<\/output>/.exec(link.text)!;

  const grace = webVisitor(home.site);
  const joined = await grace.send(await grace.open(invite), `${invite}/guest`, { name: 'Grace', ...birth });
  const [, byId = ''] = /href="(\/g\/grp_\w+)"/.exec(joined.text)!;
  expect(wordsOf(await grace.open('/groups'))).toContain('&rowing-club');
  const posted = await grace.send(await grace.open(byId), '/g/rowing-club', { text: 'Hello\n<b>all</b>' });
  expect(wordsOf(posted)).toContain('Posted.');

  const seen = await ada.open('/g/rowing-club');
  expect(wordsOf(seen)).toMatch(/Grace .*Hello <b>all<\/b>.* Members .*guest/);
  const [, report = ''] = /href="(\/g\/rowing-club\/posts\/msg_\w+\/report)"/.exec(seen.text)!;
  expect(wordsOf(await ada.send(await ada.open(report), report, { reason: 'spam' }))).toContain(
    'Report sent.',
  );

  const last = await ada.open('/g/rowing-club/leave');
  expect(wordsOf(last)).toContain('You’re the last organizer');
  const unsaid = await ada.send(last, '/g/rowing-club/leave');
  expect([unsaid.status, wordsOf(unsaid)]).toEqual([400, expect.stringContaining('Tick this box to leave.')]);
  const left = await ada.send(unsaid, '/g/rowing-club/leave', { archive: 'yes' });
  expect(wordsOf(left)).toMatch(
    /You left the group, and it’s now archived\..*You’re not in any groups yet\./,
  );
  expect((await ada.open('/g/rowing-club')).status).toBe(404);
});

test('a form sent twice takes effect once', async () => {
  const ada = await home.signIn('ada@example.com');
  const twice = async (path: string, fields: Record<string, string>) => {
    const page = await ada.open(path);
    const sent = [await ada.send(page, path, fields), await ada.send(page, path, fields)];
    for (const { status } of sent) expect(status).toBe(200);
    return sent.map(({ text }) => /(\/i\/\w+)<\/output>/.exec(text)?.[1]);
  };
  const count = async (path: string, words: RegExp) => (await ada.open(path)).text.match(words)?.length;
  await twice('/groups', { name: 'Sewing', minors: 'no' });
  expect(await count('/groups', />Sewing</g)).toBe(1);
  await twice('/g/sewing', { text: 'We begin at eight' });
  expect(await count('/g/sewing', /We begin at eight/g)).toBe(1);
  const [first, second] = await twice('/g/sewing/invites', { invitee: 'Grace' });
  expect(second).toBe(first);
  expect(await count('/g/sewing/invites', /id="invite-\d/g)).toBe(1);
});

test('a guest cannot create a group, and learns why', async () => {
  const ada = await home.signIn('ada@example.com');
  await ada.send(await ada.open('/groups'), '/groups', { name: 'Chess', minors: 'no' });
  const link = await ada.send(await ada.open('/g/chess/invites'), '/g/chess/invites', { reusable: 'yes' });
  const [, invite = ''] = /(\/i\/\w+)<\/output>/.exec(link.text)!;
  const guest = webVisitor(home.site);
  await guest.send(await guest.open(invite), `${invite}/guest`, { name: 'Ben', ...birth });
  expect(wordsOf(await guest.open('/groups'))).toContain('Add a sign-in first');
  const left = await guest.send(await guest.open('/g/chess/leave'), '/g/chess/leave');
  expect(wordsOf(left)).toContain('You left the group.');
  await eventually(async () => !wordsOf(await ada.open('/g/chess')).includes('Ben'));
});
