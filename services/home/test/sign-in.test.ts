import {
  codeFor,
  signInByEmail,
  type WebPage,
  type WebVisitor,
  webVisitor,
  wordsOf,
} from '@hearth/testkit/web-visitor';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startWholeHome } from './support/whole-home.ts';

/** People sign in on the home's own pages, in a browser without scripts. */

const home = await startWholeHome();
const { site } = home;

afterAll(() => home.stop());

const tokenOf = (visitor: WebVisitor) => visitor.cookie('hearth_session') ?? '';
const path = (page: WebPage) => new URL(page.url).pathname;

async function whoami(token: string) {
  return await home.api(token).get('/v0/me');
}

describe('signing in', () => {
  test('creates an account the first time, and signs in to it afterwards', async () => {
    const ada = webVisitor(site);
    const first = await signInByEmail(ada, home.lines, 'ada@example.com');
    expect(path(first)).toBe('/in/passkey/new');
    expect((await whoami(tokenOf(ada))).body).toMatchObject({ address: '@ada-lovelace' });
    const elsewhere = await home.signIn('ada@example.com');
    expect((await whoami(tokenOf(elsewhere))).body).toMatchObject({ address: '@ada-lovelace' });
    expect(tokenOf(elsewhere)).not.toBe(tokenOf(ada));
  });

  test('explains mistakes, and keeps the typed values', async () => {
    const visitor = webVisitor(site);
    const begin = await visitor.open('/in');
    const noAddress = await visitor.send(begin, '/in/email', { email: 'nobody' });
    expect(noAddress).toMatchObject({ status: 400 });
    expect(noAddress.text).toContain('value="nobody"');
    const asked = await visitor.send(noAddress, '/in/email', { email: 'new@example.com' });
    const wrong = await visitor.send(asked, '/in/code', {
      code: '000000' === codeFor(home.lines, 'new@example.com') ? '1' : '000000',
    });
    expect(wrong.status).toBe(400);
    expect(wordsOf(wrong)).toContain('This code doesn’t work');
    const account = await visitor.send(wrong, '/in/code', { code: codeFor(home.lines, 'new@example.com') });
    const again = await visitor.send(account, '/in/account', {
      name: 'Nia',
      birth_month: '2',
      birth_year: '19',
      time_zone: '',
    });
    expect(again.status).toBe(400);
    expect(again.text).toContain('value="Nia"');
    const taken = await visitor.send(again, '/in/account', {
      name: 'Nia',
      handle: 'ada-lovelace',
      birth_month: '2',
      birth_year: '1980',
      time_zone: 'Europe/Berlin',
    });
    expect(wordsOf(taken)).toContain('This is already in use. Choose another one.');
    const done = await visitor.send(taken, '/in/account', {
      name: 'Nia',
      handle: '@Nia-Home',
      birth_month: '2',
      birth_year: '1980',
      time_zone: 'Europe/Berlin',
    });
    expect(path(done)).toBe('/in/passkey/new');
    expect((await whoami(tokenOf(visitor))).body).toMatchObject({ address: '@nia-home' });
  });

  test('sends a new code, which invalidates the former one', async () => {
    const visitor = webVisitor(site);
    const email = 'again@example.com';
    const first = await visitor.send(await visitor.open('/in'), '/in/email', { email });
    const old = codeFor(home.lines, email);
    const second = await visitor.send(first, '/in/email', { again: 'yes' });
    expect(wordsOf(second)).toContain('New code sent');
    if (codeFor(home.lines, email) !== old)
      expect((await visitor.send(second, '/in/code', { code: old })).status).toBe(400);
    const account = await visitor.send(second, '/in/code', { code: codeFor(home.lines, email) });
    expect(account.text).toContain('action="/in/account"');
  });

  test('accepts a code only in the browser that requested it', async () => {
    const email = 'ada@example.com';
    const [mine, theirs] = [webVisitor(site), webVisitor(site)];
    const page = await mine.send(await mine.open('/in'), '/in/email', { email });
    const code = codeFor(home.lines, email);
    const other = await theirs.send(await theirs.open('/in'), '/in/email', { email });
    if (codeFor(home.lines, email) !== code)
      expect((await theirs.send(other, '/in/code', { code })).status).toBe(400);
    expect(path(await mine.send(page, '/in/code', { code }))).toBe('/in/passkey/new');
    expect(mine.cookies()).toContain('hearth_device');
  });

  test('looks equal for known and unknown addresses', async () => {
    const texts = await Promise.all(
      ['ada@example.com', 'bob@example.com'].map(async (email) => {
        const visitor = webVisitor(site);
        const page = await visitor.send(await visitor.open('/in'), '/in/email', { email });
        return page.text.replaceAll(email, 'EMAIL').replaceAll(/value="[\w-]{43}"/g, '');
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });

  test("needs an adult's help below the minimum age", async () => {
    const child = webVisitor(site);
    const year = String(new Date().getFullYear() - 9);
    const page = await signInByEmail(child, home.lines, 'child@example.com', { name: 'Kim', year });
    expect(page.status).toBe(403);
    expect(wordsOf(page)).toContain('guardian');
    expect(tokenOf(child)).toBe('');
  });

  test('redirects to the requested page, and never off the site', async () => {
    const visitor = await home.signIn('next@example.com');
    for (const [next, goes] of [
      ['/llms.txt', '/llms.txt'],
      ['https://evil.example/', '/requests'],
      ['//evil.example/', '/requests'],
      ['/\\evil.example/', '/requests'],
      ['javascript:alert(1)', '/requests'],
    ]) {
      const page = await signInByEmail(visitor, home.lines, 'next@example.com', { next: `${next}` }).catch(
        () => visitor.open(`/in?${new URLSearchParams({ next: `${next}` })}`),
      );
      expect({ next, at: new URL(page.url).origin, path: path(page) }).toEqual({
        next,
        at: site,
        path: goes,
      });
    }
  });

  test('is required again where it must be fresh, and not otherwise', async () => {
    const visitor = await home.signIn('fresh@example.com');
    expect(path(await visitor.open('/in'))).toBe('/requests');
    const before = tokenOf(visitor);
    const page = await visitor.open('/in?fresh=1');
    expect(path(page)).toBe('/in');
    const code = await visitor.send(page, '/in/email', { email: 'fresh@example.com' });
    await visitor.send(code, '/in/code', { code: codeFor(home.lines, 'fresh@example.com') });
    expect(tokenOf(visitor)).not.toBe(before);
    expect((await whoami(before)).status).toBe(401);
    expect((await whoami(tokenOf(visitor))).status).toBe(200);
  });

  test('opens an invite by its link or code', async () => {
    const visitor = webVisitor(site);
    const begin = await visitor.open('/in');
    for (const invitation of [
      `${site}/i/Abc-123`,
      'Abc-123',
      ' https://elsewhere.example/i/Abc-123/?x=1#y ',
    ]) {
      expect(path(await visitor.send(begin, '/in/invitation', { invitation }))).toBe('/i/Abc-123');
    }
    expect((await visitor.send(begin, '/in/invitation', { invitation: '../../x!y' })).status).toBe(400);
  });
});

describe('a session', () => {
  test('is stored out of reach of scripts, and never sent by other sites', async () => {
    const answer = await fetch(`${site}/in`);
    const [visitorCookie] = answer.headers.getSetCookie();
    expect(visitorCookie).toMatch(/^hearth_visitor=[0-9A-Za-z]{22}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('always gets a new id, so a planted cookie is useless', async () => {
    const victim = webVisitor(site);
    const planted = `hearth_ps_${'a'.repeat(43)}`;
    victim.plant('hearth_session', planted);
    await signInByEmail(victim, home.lines, 'victim@example.com');
    expect(tokenOf(victim)).not.toBe(planted);
    expect((await whoami(planted)).status).toBe(401);
  });

  test('ends with signing out, even for a copied token', async () => {
    const visitor = await home.signIn('leaving@example.com');
    const token = tokenOf(visitor);
    expect((await whoami(token)).status).toBe(200);
    const out = await visitor.send(await visitor.open('/ais'), '/out');
    expect(wordsOf(out)).toContain('You’re signed out');
    expect(visitor.cookie('hearth_session')).toBeUndefined();
    expect((await whoami(token)).status).toBe(401);
    expect(path(await visitor.open('/ais'))).toBe('/in');
  });

  test('is not accepted by the API as a cookie', async () => {
    const visitor = await home.signIn('cookie@example.com');
    const cookie = `hearth_session=${tokenOf(visitor)}`;
    const read = await fetch(`${site}/v0/me`, { headers: { cookie } });
    expect(read.status).toBe(401);
    const body = JSON.stringify({ name: 'Mine' });
    const headers = { cookie, 'content-type': 'application/json' };
    expect((await fetch(`${site}/v0/ais`, { method: 'POST', headers, body })).status).toBe(401);
  });
});

describe('a form', () => {
  test.each(['/in/email', '/in/code', '/in/account', '/in/invitation', '/in/for', '/out'])(
    '%s without a form of this site changes nothing',
    async (action) => {
      const visitor = webVisitor(home.site);
      await signInByEmail(visitor, home.lines, 'forms@example.com').catch(() => undefined);
      const mails = home.lines.filter((line) => line.includes('sign_in_code')).length;
      const forged = await visitor.post(action, { email: 'forms@example.com', code: '123456' });
      expect(forged.status).toBe(403);
      expect(wordsOf(forged)).toContain('has expired');
      expect(home.lines.filter((line) => line.includes('sign_in_code')).length).toBe(mails);
      expect(forged.text).not.toContain('What you wrote');
      if (tokenOf(visitor) !== '') expect((await whoami(tokenOf(visitor))).status).toBe(200);
    },
  );

  test.each(['/in/passkey', '/in/passkey/options', '/in/passkey/new', '/in/passkey/new/options'])(
    '%s from a foreign script is refused',
    async (action) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${site}${action}`, { method: 'POST', headers, body: '{"csrf":"x"}' });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toEqual({ error: expect.stringContaining('has expired') });
    },
  );

  test('works in its own browser only', async () => {
    const [one, two] = [webVisitor(site), webVisitor(site)];
    const page = await one.open('/in');
    await two.open('/in');
    expect((await two.send(page, '/in/email', { email: 'cross@example.com' })).status).toBe(403);
    expect((await one.send(page, '/in/email', { email: 'cross@example.com' })).status).toBe(200);
  });

  test('that is malformed, too large, or sent by another method is refused', async () => {
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await fetch(`${site}/in/email`, json)).status).toBe(400);
    const large = { method: 'POST', body: new URLSearchParams({ email: 'a'.repeat(70_000) }) };
    expect((await fetch(`${site}/in/email`, large)).status).toBe(413);
    const put = await fetch(`${site}/in/email`, { method: 'PUT' });
    expect(put.status).toBe(405);
    expect(put.headers.get('allow')).toBe('POST, OPTIONS');
  });
});
