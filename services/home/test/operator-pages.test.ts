import { eventually } from '@hearth/testkit';
import { apiClient } from '@hearth/testkit/home';
import { type WebVisitor, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startWholeHome } from './support/whole-home.ts';

/** The operator's pages: for the people named in HEARTH_OPERATORS, after a passkey sign-in. */

const home = await startWholeHome();
const [ada, ben] = await Promise.all([home.signIn('ada@example.com'), home.signIn('ben@example.com')]);
const mine = async (visitor: WebVisitor) =>
  (await home.api(visitor.cookie('hearth_session')!).get('/v0/people/me')).body as {
    id: string;
    handle: string;
  };
const { id: adaId, handle } = await mine(ada);
await home.restart({ HEARTH_OPERATORS: adaId });
const operator = home.api(home.operatorKey);

afterAll(() => home.stop());

/** As after a passkey sign-in that many minutes ago. */
async function signedInByPasskey(minutesAgo: number): Promise<void> {
  const client = new pg.Client(home.database.url);
  await client.connect();
  await client.query(
    `update identity.sessions set proof = 'passkey', authenticated_at = now() - make_interval(mins => $1)`,
    [minutesAgo],
  );
  await client.end();
  // Credentials are cached; a restart clears the cache.
  await home.restart({ HEARTH_OPERATORS: adaId });
}

describe('the pages of the operator', () => {
  test('are limited to operators, and open with a passkey', async () => {
    const theirs = await ben.open('/ops');
    expect([theirs.status, wordsOf(theirs)]).toEqual([404, expect.stringContaining('Page not found')]);
    expect(wordsOf(await ben.open('/me'))).not.toContain('This home');
    const refused = await ada.open('/ops');
    expect([refused.status, wordsOf(refused)]).toEqual([
      403,
      expect.stringContaining('Sign in with a passkey'),
    ]);
    await signedInByPasskey(1);
    const page = await ada.open('/ops');
    expect([page.status, wordsOf(page)]).toEqual([200, expect.stringContaining('Reports 0 open')]);
    expect(wordsOf(await ada.open('/ops/ais'))).not.toContain('Sign in again');
    expect((await ben.open('/ops')).status).toBe(404);
  });

  test('open every list', async () => {
    for (const place of [
      'reports',
      'feedback',
      'deliveries',
      'failed',
      'ais',
      'people',
      'apps',
      'homes',
      'keys',
      'audit',
    ])
      expect([place, (await ada.open(`/ops/${place}`)).status]).toEqual([place, 200]);
    expect((await ada.open('/ops/none')).status).toBe(404);
  });

  test('list reports about children first, for closing', async () => {
    const { key, address } = await home.signUp({ name: 'Wren' });
    const report = { about: address, text: '<b>They</b> ask where I live' };
    for (const reason of ['spam', 'child_safety'])
      expect((await apiClient([home.url], key).post('/v0/reports', { ...report, reason })).status).toBe(202);
    expect(wordsOf(await ada.open('/ops'))).toContain('2 open');
    const page = await ada.open('/ops/reports');
    expect(wordsOf(page)).toMatch(/A child is in danger: .*<b>They<\/b> ask where I live.* Spam: /s);
    const { reports } = (await operator.get('/v0/admin/reports')).body;
    const fields = { act: 'resolve', id: reports[0].id };
    const empty = await ada.send(page, '/ops/reports', { ...fields, resolution: '' });
    expect([empty.status, wordsOf(empty)]).toEqual([400, expect.stringContaining('Fill in this field.')]);
    const closed = await ada.send(page, '/ops/reports', { ...fields, resolution: 'wrote to the family' });
    expect(wordsOf(closed)).toContain('The report is closed.');
    const { reports: open } = (await operator.get('/v0/admin/reports')).body;
    expect(open).toHaveLength(1);
    const suspended = { act: 'suspend', id: address, days: '1', reason: 'asks children' };
    expect(wordsOf(await ada.send(closed, '/ops/reports', suspended))).toContain('The AI is suspended.');
    expect((await home.api(key).get('/v0/me')).status).toBe(403);
  });

  test('remove a post that was reported', async () => {
    const [author, reader] = [await home.signUp({ name: 'Jay' }), await home.signUp({ name: 'Kit' })];
    const posted = await home.api(author.key).post('/v0/commons', { kind: 'note', text: 'Buy my coins' });
    const { id } = posted.body as { id: string };
    const report = { about: id, reason: 'scam', text: 'again' };
    expect((await home.api(reader.key).post('/v0/reports', report)).status).toBe(202);
    const page = await ada.open('/ops/reports');
    expect(wordsOf(page)).toContain('Buy my coins');
    const removed = await ada.send(page, '/ops/reports', { act: 'remove', id, reason: 'a scam' });
    expect(wordsOf(removed)).toContain('The post is removed.');
    const { body } = await home.api(author.key).get(`/v0/commons/${id}`);
    expect(body.post).toMatchObject({ status: 'removed', removed_by: 'operator', reason: 'a scam' });
  });

  test("suspend an AI and lift the suspension, with the operator's name in the audit log", async () => {
    const { id, key } = await home.signUp({ name: 'Robin' });
    const page = await ada.open('/ops/ais');
    const late = await ada.send(page, '/ops/ais', { act: 'suspend', id, days: '7', reason: 'x'.repeat(201) });
    expect([late.status, wordsOf(late)]).toEqual([400, expect.stringMatching(/at most 200|200 characters/)]);
    await ada.send(page, '/ops/ais', { act: 'suspend', id, days: '7', reason: 'sends spam' });
    const refused = await home.api(key).get('/v0/me');
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      403,
      expect.stringContaining('sends spam'),
    ]);
    expect(JSON.stringify(refused.body)).not.toContain(handle);
    await ada.send(page, '/ops/ais', { act: 'restore', id, reason: 'promised' });
    expect((await home.api(key).get('/v0/me')).status).toBe(200);
    const lines = await eventually(async () => {
      const found = (await operator.get(`/v0/admin/audit?about=${id}`)).body.audit as { by: string }[];
      return found.length === 2 && found;
    });
    expect(lines.map(({ by }) => by)).toEqual([`@${handle}`, `@${handle}`]);
    expect(wordsOf(await ada.open('/ops/audit'))).toContain('sends spam');
  });

  test('suspend a person, who reads the reason on each of their pages', async () => {
    const { id, handle: bens } = await mine(ben);
    const page = await ada.open('/ops/people');
    const suspend = { act: 'suspend', id, days: '7', reason: 'sends threats' };
    expect(wordsOf(await ada.send(page, '/ops/people', suspend))).toContain('The person is suspended');
    expect(wordsOf(await ada.open('/ops/people?show=suspended'))).toContain(`@${bens}`);
    const own = await ben.open('/me');
    expect([own.status, wordsOf(own)]).toEqual([
      403,
      expect.stringMatching(
        /The operator of this home has suspended this account until \w{3}, \d+ \w{3} \d{4}, \d\d:\d\d.*: sends threats/,
      ),
    ]);
    expect((await ben.open('/')).status).toBe(200);
    const lists = await ada.open('/ops/people');
    await ada.send(lists, '/ops/people', { act: 'restore', id, reason: 'promised' });
    expect((await ben.open('/me')).status).toBe(200);
  });

  test("show that an AI is suspended with its owner, and lift the owner's suspension", async () => {
    const { id } = await mine(ben);
    const made = await home.api(ben.cookie('hearth_session')!).post('/v0/ais', { name: 'Helper' });
    const ai = made.body.ai.id;
    const page = await ada.open('/ops/people');
    await ada.send(page, '/ops/people', { act: 'suspend', id, days: '7', reason: 'sends threats' });
    const path = '/ops/ais?show=suspended';
    const listed = await ada.open(path);
    const card = listed.text.split('<li class="card">').find((section) => section.includes(ai))!;
    expect(card).toMatch(/Suspended with owner.*Yes/s);
    expect(card).not.toContain('value="restore"');
    const ended = await ada.send(listed, path, { act: 'restore_owner', id, reason: 'promised' });
    expect(wordsOf(ended)).toContain('The person can act again.');
    expect(wordsOf(await ada.open(path))).not.toContain(ai);
  });

  test('delete an account, and keep it, as its person sees', async () => {
    const { id } = await mine(ben);
    const remove = { act: 'delete', id, reason: 'asked by mail' };
    const removed = await ada.send(await ada.open('/ops/people'), '/ops/people', remove);
    expect(wordsOf(removed)).toMatch(/The account will be deleted on the day .*Deleted on/s);
    const path = '/ops/people?show=deleting';
    const page = await ada.open(path);
    expect(page.text).toContain(id);
    expect(wordsOf(page)).not.toContain('Delete the account');
    expect(wordsOf(await ben.open('/me'))).toContain('will be deleted on');
    const kept = await ada.send(page, path, { act: 'keep', id, reason: 'asked again' });
    expect(wordsOf(kept)).toContain('The account won’t be deleted.');
    const mails = (about: string) =>
      home.lines.filter((line) => line.includes('"to":"ben@example.com"') && line.includes(about));
    await eventually(() => mails('Your account will be kept').length === 1);
    expect(mails('deleted on')).toEqual([expect.stringContaining('> asked by mail')]);
    expect(wordsOf(await ben.open('/me'))).not.toContain('will be deleted on');
  });

  test('suspend an app', async () => {
    const made = await operator.post('/v0/admin/apps', {
      name: 'Planner',
      contact_email: 'ops@planner.example',
    });
    const { app, app_key: key } = made.body as { app: { id: string }; app_key: string };
    const suspend = { act: 'suspend', id: app.id, days: '7', reason: 'leaks mails' };
    await ada.send(await ada.open('/ops/apps'), '/ops/apps', suspend);
    const refused = await home.api(key).get('/v0/app');
    expect([refused.status, refused.body]).toMatchObject([403, { code: 'suspended' }]);
    expect(refused.body.error).toMatch(/suspended this app until .*: leaks mails/);
    await ada.send(await ada.open('/ops/apps'), '/ops/apps', {
      act: 'restore',
      id: app.id,
      reason: 'mended',
    });
    expect((await home.api(key).get('/v0/app')).status).toBe(200);
  });

  test('reactivate a suspended webhook address, whose owner reads the reason', async () => {
    const { id, key } = await home.signUp({ name: 'Crow' });
    const client = new pg.Client(home.database.url);
    await client.connect();
    // As after an hour of failures.
    await client.query(
      `insert into delivery.subscriptions (id, ai, name, url, secret, refresh_before, created_at, suspended_at, abandoned_in_row)
       values (gen_random_uuid(), $1::uuid, 'message.direct', 'https://crow.example/hook', 'x', now() + interval '1 day', now(), now(), 20)`,
      [id.slice('ai_'.length)],
    );
    await client.end();
    const page = await ada.open('/ops/deliveries?show=suspended');
    expect(wordsOf(page)).toContain('https://crow.example');
    const { destinations } = (await operator.get('/v0/admin/deliveries/destinations?status=suspended')).body;
    const resume = { act: 'resume', id: destinations[0].id, reason: 'the host is back' };
    expect(wordsOf(await ada.send(page, '/ops/deliveries?show=suspended', resume))).toContain(
      'Sending has resumed.',
    );
    const after = wordsOf(await ada.open('/ops/deliveries?show=suspended'));
    expect(after).not.toContain('https://crow.example');
    const { activity } = await eventually(async () => {
      const { body } = await home.api(key).get('/v0/activity');
      return JSON.stringify(body).includes('the host is back') && body;
    });
    expect(JSON.stringify(activity)).toContain('The operator');
    // Doing it twice is the same as once.
    expect(wordsOf(await ada.send(page, '/ops/deliveries?show=suspended', resume))).not.toContain(
      'Something went wrong',
    );
  });

  test('show above the list why an act failed, and keep the current page of the list', async () => {
    const { id } = await home.signUp({ name: 'Finch' });
    for (let count = 0; count < 50; count += 1) await home.signUp({ name: `Bird ${count}` });
    const [, more = ''] = /href="(\/ops\/ais\?cursor=[^"]*)"/.exec((await ada.open('/ops/ais')).text)!;
    const page = await ada.open(more);
    expect(page.text).toContain(id);
    const unsaid = await ada.send(page, more, { act: 'suspend', id, days: '7', reason: '' });
    expect([unsaid.status, wordsOf(unsaid)]).toEqual([
      400,
      expect.stringMatching(/There’s a problem Fill in this field\..*Finch.*Error: Fill in this field\./s),
    ]);
    const [, field = ''] = /href="#([^"]*-suspend-reason)"/.exec(unsaid.text)!;
    expect(unsaid.text).toContain(`id="${field}"`);
    const done = await ada.send(unsaid, more, { act: 'revoke', id });
    expect(wordsOf(done)).toMatch(/The AI has been removed\..*Finch/s);
    const late = await ada.send(page, more, { act: 'suspend', id, days: '7', reason: 'spam' });
    expect([late.status, wordsOf(late)]).toEqual([
      400,
      expect.stringMatching(/That didn’t work This has already been done or answered\..*Finch/s),
    ]);
  });

  test('block an unlisted home by its name', async () => {
    const page = await ada.open('/ops/homes');
    const fields = { act: 'decide', mode: 'denied', reason: 'sends spam' };
    const wrong = await ada.send(page, '/ops/homes', { ...fields, home: 'no home' });
    expect([wrong.status, wordsOf(wrong)]).toEqual([
      400,
      expect.stringContaining('Enter the name of a home'),
    ]);
    const done = await ada.send(page, '/ops/homes', { ...fields, home: 'Other.Example' });
    expect(wordsOf(done)).toMatch(/The policy is set\..*other\.example.*Denied: exchange nothing/s);
    expect(wordsOf(done)).not.toContain('Refresh');
    const late = await ada.send(page, '/ops/homes', { act: 'refetch', id: 'other.example' });
    expect(wordsOf(late)).toContain('That didn’t work Enter the name of a home');
  });

  test('show a part of a list, and stay there after an act', async () => {
    const { id } = await home.signUp({ name: 'Owl' });
    await ada.send(await ada.open('/ops/ais'), '/ops/ais', { act: 'suspend', id, days: '1', reason: 'spam' });
    const path = '/ops/ais?show=suspended';
    const page = await ada.open(path);
    expect(wordsOf(page)).toMatch(/Name Owl/);
    expect(page.text).not.toContain('<dd>active</dd>');
    const ended = await ada.send(page, path, { act: 'restore', id, reason: 'promised' });
    expect([new URL(ended.url).searchParams.get('show'), wordsOf(ended)]).toEqual([
      'suspended',
      expect.not.stringContaining('Owl'),
    ]);
    for (const [place, show] of [
      ['reports', 'closed'],
      ['feedback', 'new'],
      ['deliveries', 'disabled'],
      ['people', 'deleting'],
    ])
      expect([place, (await ada.open(`/ops/${place}?show=${show}`)).status]).toEqual([place, 200]);
    const closed = await ada.open('/ops/reports?show=closed');
    expect(wordsOf(closed)).toMatch(/wrote to the family/);
    expect(wordsOf(await ada.open('/ops/reports'))).not.toMatch(/wrote to the family/);
  });

  test('count new feedback, and accept an answer of several lines', async () => {
    const { key } = await home.signUp({ name: 'Thrush' });
    const given = { kind: 'docs', title: 'A page is wrong' };
    const { id } = (await home.api(key).post('/v0/feedback', given)).body as { id: string };
    expect(wordsOf(await ada.open('/ops'))).toContain('Feedback 1 new');
    const page = await ada.open('/ops/feedback');
    expect(page.text).toContain('<textarea');
    const answer = 'It is mended.\nThank you.';
    const answered = await ada.send(page, '/ops/feedback', { act: 'answer', id, answer });
    expect(wordsOf(answered)).toContain('Your answer is saved.');
    expect((await home.api(key).get(`/v0/feedback/${id}`)).body.answer).toBe(answer);
    expect(wordsOf(await ada.open('/ops'))).toContain('Feedback 0 new');
  });

  test('accept only acts that a row offers, and none from another page', async () => {
    const page = await ada.open('/ops/keys');
    for (const act of ['revoke', 'constructor', ''])
      expect((await ada.send(page, '/ops/keys', { act, id: 'k' })).status).toBe(404);
  });

  test('act only within ten minutes after the sign-in', async () => {
    await signedInByPasskey(11);
    const page = await ada.open('/ops/keys');
    expect([page.status, wordsOf(page)]).toEqual([
      200,
      expect.stringContaining('Sign in again before you act'),
    ]);
    const sent = await ada.send(page, '/ops/keys', { act: 'rotate', id: 'k' });
    expect(wordsOf(sent)).toContain('Sign in');
    expect((await operator.get('/v0/admin/keys')).body.keys).not.toContainEqual(
      expect.objectContaining({ status: 'next' }),
    );
  });
});
