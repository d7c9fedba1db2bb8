import { eventually } from '@hearth/testkit';
import type { ApiClient } from '@hearth/testkit/home';
import { codeFor, webVisitor, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startWholeHome } from './support/whole-home.ts';

/** People manage their account and their children on the home's own pages, next to an app that holds them. */

interface App extends ApiClient {
  as(id: string): Asker;
}
type Asker = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

const home = await startWholeHome();
const { site } = home;
const app = await newApp('Rowing planner');
const ada = await home.signIn('ada@example.com');
const me = await home.api(ada.cookie('hearth_session')!).get('/v0/people/me');
const adaId = me.body.id as string;

afterAll(() => home.stop());

async function newApp(name: string): Promise<App> {
  const made = await home.newApp({ name, minors: true });
  const as =
    (id: string): Asker =>
    async (method, path, body) => {
      const { status, body: answer } = await made.request(method, path, body, { 'svc-acting-for': id });
      if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
      return answer;
    };
  return { ...made, as };
}

/** A link into a group that allows children with their guardians' consent. */
async function linkInto(name: string, forAge: string): Promise<string> {
  const { body } = await app.post('/v0/people', { name: 'Olga Organizer', age_band: 'adult' });
  const olga = app.as(body.id as string);
  const settings = { minors: 'guardian', join_review: 'none' };
  const group = await olga('POST', '/v0/groups', { name, settings });
  return (await olga('POST', `/v0/groups/${group['id']}/invites`, { for_age: forAge }))['code'] as string;
}

describe('an account', () => {
  test('is changed by its page', async () => {
    const page = await ada.open('/me');
    expect(wordsOf(page)).toContain('Email to ada@example.com');
    const fields = { name: 'Ada King', handle: 'ada-king', time_zone: 'Europe/Berlin' };
    const saved = await ada.send(page, '/me', fields);
    expect(wordsOf(saved)).toContain('Saved.');
    expect(wordsOf(saved)).toMatch(
      /Ada King @ada-king .*You can change @ada-king again from \w{3}, \d+ \w{3} \d{4}\./,
    );
    expect(saved.text).toContain('<option value="Europe/Berlin" selected>');
  });

  test('is held by an app once the person has accepted it on their page', async () => {
    const asked = await app.post(`/v0/app/people/${encodeURIComponent('@ada-king')}/link`);
    expect(asked.body).toMatchObject({ status: 'waiting', url: expect.stringMatching(/\/me$/) });
    const page = await ada.open('/me');
    expect(wordsOf(page)).toContain('Rowing planner An app at this home');
    const [, action = ''] = /action="(\/me\/apps\/[^"]*)"/.exec(page.text)!;
    const accepted = await ada.send(page, action, { answer: 'accept' });
    expect(wordsOf(accepted)).toContain('Rowing planner, an app that can act for you here');
    const linked = await app.post(`/v0/app/people/${adaId}/link`);
    expect(linked.body).toMatchObject({ status: 'linked', person: { handle: 'ada-king' } });
  });

  test('is deleted after seven days, unless the person keeps it', async () => {
    const page = await ada.open('/me/delete');
    const wrong = await ada.send(page, '/me/delete', { confirm: 'ada' });
    expect([wrong.status, wordsOf(wrong)]).toEqual([
      400,
      expect.stringContaining('Enter @ada-king to confirm.'),
    ]);
    const going = await ada.send(page, '/me/delete', { confirm: 'ada-king' });
    expect(wordsOf(going)).toContain('Your account will be deleted on');
    expect((await app.get(`/v0/people/${adaId}`)).body).toHaveProperty('deletes_at');
    const kept = await ada.send(going, '/me/keep');
    expect(wordsOf(kept)).toContain('Your account won’t be deleted.');
    expect((await app.get(`/v0/people/${adaId}`)).body).not.toHaveProperty('deletes_at');
  });
});

describe('a guest', () => {
  test('adds an email address, and signs in with it in another browser', async () => {
    const code = await linkInto('Walks', 'adult');
    const guest = webVisitor(site);
    const invitation = await guest.open(`/i/${code}`);
    const joined = await guest.send(invitation, `/i/${code}/guest`, {
      ...{ name: 'Gast Grün', birth_month: '7', birth_year: '1990' },
    });
    expect(joined.text).toContain('href="/me/sign-in"');
    const sent = await guest.send(await guest.open('/me/sign-in'), '/me/sign-in', {
      email: 'guest@example.com',
    });
    const done = await guest.send(sent, '/me/sign-in/code', {
      code: codeFor(home.lines, 'guest@example.com'),
    });
    expect(wordsOf(done)).toContain('You can now sign in this way.');
    await eventually(async () => wordsOf(await guest.open('/me')).includes('Email to guest@example.com'));
    const elsewhere = await home.signIn('guest@example.com');
    expect(wordsOf(await elsewhere.open('/me'))).toContain('Gast Grün');
  });
});

describe('a family', () => {
  test('is managed by its guardian', async () => {
    const year = new Date().getFullYear();
    const made = await app.post('/v0/people', {
      ...{ name: 'Ida Lovelace', birth_year_month: `${year - 14}-01`, guardian: adaId },
    });
    expect(made.status).toBe(201);
    const { id, handle } = made.body as { id: string; handle: string };
    const code = await linkInto('Chess for beginners', 'teen13');
    const ida = app.as(id);
    expect(await ida('POST', `/v0/invites/${code}/accept`, {})).toMatchObject({ waiting_for: ['guardian'] });

    expect(wordsOf(await ada.open('/me'))).toContain(
      'One request about your children is waiting for your answer',
    );
    const family = await ada.open('/family');
    expect(wordsOf(family)).toContain(
      `Ida Lovelace @${handle} Age 13 to 15 Next age 16 or 17 from February ${year + 2}`,
    );
    const [, action = ''] = /action="(\/family\/[^"]*\/joins\/[^"]*)"/.exec(family.text)!;
    const joined = await ada.send(family, action, { decision: 'approved' });
    expect(wordsOf(joined)).toContain('Approved. They’re in the group now.');
    expect(wordsOf(await ada.open(`/family/${id}`))).toContain('Chess for beginners');

    const shared = await ada.send(await ada.open(`/family/${id}`), `/family/${id}/ais`);
    expect(wordsOf(shared)).toContain('AIs can act for this child now.');
    expect(await ida('GET', '/v0/people/me')).toMatchObject({ ai_share: true });

    const bob = await app.post('/v0/people', { name: 'Bob Lovelace', age_band: 'adult', handle: 'bob-l' });
    const named = await ada.send(shared, `/family/${id}/guardian`, { guardian: 'bob-l', place: 'second' });
    expect(wordsOf(named)).toContain('Guardians you and Bob Lovelace');
    expect(await app.as(bob.body.id)('GET', `/v0/people/${id}/contacts`)).toMatchObject({
      groups: [{ name: 'Chess for beginners' }],
    });

    const page = await ada.open(`/family/${id}/delete`);
    const going = await ada.send(page, `/family/${id}/delete`, { confirm: handle });
    expect(wordsOf(going)).toContain('Ida Lovelace’s account will be deleted on');
    await ada.send(going, `/family/${id}/keep`);

    const said = await ada.send(await ada.open(`/family/${id}`), `/family/${id}/guardian/end`);
    expect(wordsOf(said)).toContain('It ends when Ida Lovelace agrees');
    expect(await ida('DELETE', `/v0/people/${id}/guardian`)).toMatchObject({ ended: false });
    expect(wordsOf(await ada.open('/family'))).toContain('You don’t look after any children here.');
  });
});
