import { follows } from '@hearth/testkit';
import { codeFor, webVisitor, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, expect, test } from '@jest/globals';
import { startWholeHome } from './support/whole-home.ts';

/** A family on its home's pages, without any app. */

const home = await startWholeHome();
const { site } = home;
const [ada, ben] = await Promise.all([
  home.signIn('ada@example.com', { name: 'Ada Lovelace' }),
  home.signIn('ben@example.com', { name: 'Ben Bowline' }),
]);
const bens = home.api(ben.cookie('hearth_session')!);
afterAll(() => home.stop());

async function makeChild(name: string, year: string): Promise<string> {
  const fields = { name, birth_month: '5', birth_year: year, guardian: 'yes' };
  const made = await ada.send(await ada.open('/family/new'), '/family/new', fields);
  expect(wordsOf(made)).toContain('Account created.');
  return new URL(made.url).pathname;
}

/** The link of an invite into a group that Ben creates. */
async function linkInto(name: string): Promise<{ group: string; path: string }> {
  const settings = { minors: 'guardian', join_review: 'none' };
  const { body: group } = await bens.post('/v0/groups', { name, settings });
  const { body } = await bens.post(`/v0/groups/${group.id}/invites`, { for_age: 'child', reusable: true });
  return { group: group.id, path: `/i/${body.code}` };
}

const namesIn = async (group: string) =>
  (await bens.get(`/v0/groups/${group}/members`)).body.members.map(
    (member: { person: { name: string } }) => member.person.name,
  );

test('a guardian creates a child’s account, joins a group for the child, and leaves it for them', async () => {
  const page = await makeChild('Mia Lovelace', '2017');
  expect(wordsOf(await ada.open('/family'))).toContain('Mia Lovelace @mia Age under 13');
  const { group, path } = await linkInto('Rowers');
  const invite = await ada.open(path);
  const id = page.split('/').at(-1)!;
  expect(wordsOf(invite)).toContain('Join as Mia Lovelace');
  expect(wordsOf(invite)).not.toContain('Who’s joining?');
  const joined = await ada.send(invite, path, { for: id });
  expect(wordsOf(joined)).toContain('Mia Lovelace is in Rowers now.');
  // Ben sees only the shortened name, and no link to the child.
  expect((await namesIn(group)).toSorted()).toEqual(['Ben Bowline', 'Mia L.']);
  expect((await bens.get('/v0/people/@mia')).status).toBe(404);
  expect((await ben.open(page)).status).toBe(404);
  expect(wordsOf(await ben.open('/family'))).not.toContain('Mia');

  const done = async (visitor: typeof ada) =>
    JSON.stringify((await home.api(visitor.cookie('hearth_session')!).get('/v0/activity')).body);
  await follows(async () => expect(await done(ada)).toContain('Mia L. has an account here'));
  await follows(async () => expect(await done(ben)).toContain('Mia L.'));
  for (const told of ['Mia Lovelace', '@mia', 'Mia L. has an account', id])
    expect(await done(ben)).not.toContain(told);

  const left = await ada.send(await ada.open(page), `${page}/groups`, {
    group: (await bens.get(`/v0/groups/${group}`)).body.address,
  });
  expect(wordsOf(left)).toContain('They’re no longer in that group.');
  expect(await namesIn(group)).toEqual(['Ben Bowline']);
});

test('a guardian renames a child', async () => {
  const page = await makeChild('Eve Lovelace', '2016');
  const named = await ada.send(await ada.open(page), `${page}/name`, { name: 'Eva Lovelace' });
  expect(wordsOf(named)).toContain('Name changed.');
  expect(wordsOf(await ada.open('/family'))).toContain('Eva Lovelace');
  expect(wordsOf(await ada.send(named, `${page}/name`, { name: ' ' }))).toContain('Enter the child’s name.');
});

test('a child signs in once the guardian gave them an address, and not below the minimum age', async () => {
  const young = await makeChild('Tom Lovelace', '2019');
  expect((await ada.open(young)).text).not.toContain(`${young}/sign-in`);
  const year = new Date(performance.timeOrigin).getUTCFullYear() - 17;
  const page = await makeChild('Kit Lovelace', `${year}`);
  const email = 'kit@example.com';
  expect(wordsOf(await ada.open(page))).toContain('is old enough to sign in here');
  const asked = await ada.send(await ada.open(`${page}/sign-in`), `${page}/sign-in`, { email });
  const done = await ada.send(asked, `${page}/sign-in/code`, { code: codeFor(home.lines, email) });
  expect(wordsOf(done)).toContain('The child can sign in with that address now.');
  expect(wordsOf(done)).toContain('Kit Lovelace signs in here with their own email address.');

  const kit = webVisitor(site);
  const digits = await kit.send(await kit.open('/in'), '/in/email', { email });
  await kit.send(digits, '/in/code', { code: codeFor(home.lines, email) });
  expect(wordsOf(await kit.open('/me'))).toContain('Kit Lovelace');
  const own = await home
    .api(kit.cookie('hearth_session')!)
    .post('/v0/people', { name: 'Doll', age_band: 'child' });
  expect(own.status).toBe(403);
});
