import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { minute } from '@hearth/clock';
import { badField, forbidden, type HearthError, unavailable } from '@hearth/errors';
import { printId } from '@hearth/ids';
import {
  type ClaimGuestRequest,
  ClaimGuestStep,
  type DeleteAccountRequest,
  PeopleService,
  type UpdatePersonRequest,
} from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, clock, graceId, startHomeWithPeople } from './home-with-people.ts';
import { type Noted, noting } from './notes.ts';
import { csrfOf, expectPage, expectSignIn, expectWords, wordsOf } from './visitor.ts';

const day = 24 * 60 * minute;
const appId = '01900000-0000-7000-8000-0000000000f1';

interface Facts {
  ageBand: AgeBand;
  language?: string;
  email?: string;
  deletesAt?: ReturnType<typeof timestampFromMs>;
}

/** Ada, signed in two minutes ago. */
let asked: Noted[];
let facts: Facts;
let more: { handleChangesFrom?: ReturnType<typeof timestampFromMs>; guardians?: object[]; appName?: string };
let links: { app: string; name: string; about: string }[];
let linksFail: boolean;
let failure: HearthError | undefined;

const noted = noting((call) => {
  if (failure !== undefined) throw failure;
  asked.push(call);
});

const home = await startHomeWithPeople([
  fake(PeopleService, {
    getAccount: async (_, { caller }) => {
      const ada = caller.id === adaId;
      return {
        facts: {
          id: caller.id,
          handle: ada ? 'ada' : 'grace',
          name: ada ? 'Ada <Lovelace>' : 'Grace',
          timeZone: 'Europe/Berlin',
          guest: !ada,
          email: ada ? 'ada@example.org' : '',
          ...facts,
        },
        ...more,
      };
    },
    listLinks: async () => {
      if (linksFail) throw unavailable('no');
      return {
        links: links.map(({ app, name, about }) => ({
          ...{ app, name, askedAt: timestampFromMs(clock.now()) },
          person: { id: printId('per', about), name: 'Somebody' },
        })),
      };
    },
    answerLink: noted('answer'),
    endAppHold: noted('leave'),
    listChildren: async () => ({ children: [] }),
    updatePerson: noted('update'),
    keepAccount: noted('keep'),
    deleteAccount: noted('delete'),
    endGuardian: noted('end', () => ({ ended: false, waitingFor: ['guardian'] })),
    claimGuest: noted('claim', ({ passkey, code }: ClaimGuestRequest) => {
      if (passkey !== undefined && passkey.response === undefined)
        return { step: ClaimGuestStep.PASSKEY, passkeyOptions: '{"challenge":"abc"}' };
      return { step: code === undefined ? ClaimGuestStep.CODE : ClaimGuestStep.DONE };
    }),
  }),
  fake(SignInService, {
    listSignIns: async (_, { caller }) => ({
      passkeys:
        caller.id === adaId
          ? [{ id: 'pky_1', createdAt: timestampFromMs(clock.now()), lastUsed: '2026-05-01' }]
          : [],
      sessions: [
        { id: 'ses_1', createdAt: timestampFromMs(clock.now()), current: true },
        ...['ses_2', 'ses_3'].map((id) => ({
          ...{ id, device: 'Firefox <on> Linux', network: '203.0.113.0/24', lastUsed: '2026-05-01' },
          createdAt: timestampFromMs(clock.now() - 10 * day),
        })),
      ],
    }),
    endSession: noted('end_session', () => ({ ended: 1 })),
    removePasskey: noted('remove_passkey'),
  }),
]);
const fresh = home.adaAfresh;
afterAll(() => home.stop());
beforeEach(() => {
  asked = [];
  facts = { ageBand: AgeBand.ADULT };
  more = {};
  links = [];
  linksFail = false;
  failure = undefined;
});

const form = { name: 'Ada <Lovelace>', handle: 'ada', time_zone: 'Europe/Berlin' };

describe('/me', () => {
  test('needs a sign-in', async () => {
    for (const at of ['/me', '/me/delete', '/me/sign-in']) {
      expectSignIn(await home.stranger().open(at), at);
    }
    const stranger = home.stranger();
    const csrf = csrfOf(await stranger.open('/in'));
    for (const at of ['/me', '/me/keep', '/me/delete', '/me/sign-in', `/me/apps/${appId}`])
      expect((await stranger.post(at, { csrf, confirm: 'ada', answer: 'accept' })).status).toBe(303);
    expect(asked).toEqual([]);
  });

  test("shows the person's details and sign-ins", async () => {
    more = { appName: 'School app' };
    expectWords(
      await home.ada.open('/me'),
      'Ada <Lovelace> @ada From other homes ada@localhost:8080',
      'School app, an app that can act for you here',
      'Email to ada@example.org Passkey, created Sun, 3 May 2026 last used Fri, 1 May 2026',
      'You can change it once every 30 days. The old address leads to you for 90 more days.',
    );
  });

  test('leads to a new passkey through a fresh sign-in, unless the current one is fresh', async () => {
    const offer = '/in/passkey/new?next=%2Fme';
    expect((await fresh.open('/me')).text).toContain(`href="${offer}"`);
    const { text } = await home.ada.open('/me');
    expect(text).toContain(`href="/in?fresh=1&#38;next=${encodeURIComponent(offer)}"`);
  });

  test('sends the changed values only', async () => {
    const page = await home.ada.open('/me');
    const saved = await home.ada.send(page, '/me', { ...form, name: ' Ada King ' });
    expect(saved.headers.location).toBe('/me?done=saved');
    expect(asked).toMatchObject([{ name: 'update', person: adaId, request: { id: 'me', name: 'Ada King' } }]);
    const { handle, timeZone } = asked[0]!.request as UpdatePersonRequest;
    expect([handle, timeZone]).toEqual([undefined, undefined]);
    await home.ada.send(page, '/me', { ...form, handle: '@Ada-King', time_zone: 'UTC' });
    expect(asked[1]!.request).toMatchObject({ handle: 'ada-king', timeZone: 'UTC' });
    expect(wordsOf(await home.ada.open('/me?done=saved'))).toContain('Saved.');
    expect((await home.ada.open('/me?done=<script>')).text).not.toContain('<script>');
  });

  test('offers languages, each by its own name, where there is a choice', async () => {
    const page = await home.ada.open('/me');
    expect(page.text).not.toContain('name="language"');
    facts = { ...facts, language: 'de-CH' };
    const german = await home.ada.open('/me');
    expect(german.text).toMatch(
      /<select id="language" name="language"[^>]*>\s*<option value="">Same as my browser<\/option>\s*<option value="en-GB" lang="en-GB">British English<\/option>\s*<option value="de-CH" selected lang="de-CH">Schweizer Hochdeutsch<\/option>/,
    );
    await home.ada.send(german, '/me', { ...form, language: 'de-CH' });
    await home.ada.send(german, '/me', { ...form, language: '' });
    await home.ada.send(page, '/me', form);
    expect(asked.map(({ request }) => (request as UpdatePersonRequest).language)).toEqual([
      undefined,
      '',
      undefined,
    ]);
  });

  test.each([
    [{ ...form, handle: 'a!' }, undefined, 'This address is taken or not allowed.'],
    [{ ...form, name: '' }, undefined, 'Use 1 to 60 characters'],
    [{ ...form, time_zone: '' }, undefined, 'Choose a city near you.'],
    [
      { ...form, handle: 'bob' },
      badField('handle', '"bob" This address is taken or not allowed.'),
      'This address is taken or not allowed.',
    ],
  ])('keeps the typed values when it is refused: %j', async (typed, refusal, words) => {
    failure = refusal;
    const page = await home.ada.open('/me');
    const again = await home.ada.send(page, '/me', typed);
    expect([again.status, asked, wordsOf(again)]).toEqual([400, [], expect.stringContaining(words)]);
    expect(again.text).toContain(`value="${typed.handle}"`);
  });

  test('shows when the handle can change again, instead of the field', async () => {
    more = { handleChangesFrom: timestampFromMs(clock.now() + 12 * day) };
    const page = await home.ada.open('/me');
    expect(wordsOf(page)).toContain('You can change @ada again from Fri, 15 May 2026.');
    expect(page.text).not.toContain('name="handle"');
    await home.ada.send(page, '/me', { name: 'Ada King', time_zone: 'UTC' });
    expect((asked[0]!.request as UpdatePersonRequest).handle).toBeUndefined();
  });
});

describe('sessions and passkeys', () => {
  test('are shown, and end by forms', async () => {
    const page = await home.ada.open('/me');
    expectWords(
      page,
      'Firefox <on> Linux network 203.0.113.0/24 signed in Thu, 23 Apr 2026, last used Fri, 1 May 2026',
    );
    expect(page.text).not.toContain('/me/sessions/ses_1/end');
    for (const id of ['ses_2', 'others']) await home.ada.send(page, `/me/sessions/${id}/end`);
    expect(asked).toMatchObject([
      { name: 'end_session', person: adaId, request: { id: 'ses_2' } },
      { name: 'end_session', person: adaId, request: { id: 'others' } },
    ]);
  });

  test('a passkey is removed after a fresh sign-in', async () => {
    const at = '/me/passkeys/pky_1/remove';
    facts = { ...facts, email: 'ada@example.org' };
    expect((await fresh.open('/me')).text).toContain(`href="${at}"`);
    const afresh = `/in?fresh=1&next=${encodeURIComponent(at)}`;
    expect((await home.ada.open(at)).headers.location).toBe(afresh);
    const csrf = csrfOf(await home.ada.open('/me'));
    expect((await home.ada.post(at, { csrf })).headers.location).toBe(afresh);
    const page = await fresh.open(at);
    expect(asked).toEqual([]);
    expect((await fresh.send(page, at)).headers.location).toBe('/me?done=passkey_removed');
    expect(asked).toMatchObject([{ name: 'remove_passkey', person: adaId, request: { id: 'pky_1' } }]);
    expect((await fresh.open('/me/passkeys/pky_2/remove')).status).toBe(404);
  });
});

describe('an app that asks to hold the account', () => {
  const path = `/me/apps/${appId}`;
  beforeEach(() => {
    links = [{ app: appId, name: 'Rowing <planner>', about: adaId }];
  });

  test.each([
    ['accept', true, 'accepted'],
    ['decline', false, 'declined'],
  ])('is answered: %s', async (answer, accept, done) => {
    const page = await fresh.open('/me');
    expect(wordsOf(page)).toContain('Waiting for your answer R Rowing <planner>');
    expect(asked).toEqual([]);
    const answered = await fresh.send(page, path, { answer });
    expect(answered.headers.location).toBe(`/me?done=${done}`);
    expect(asked).toMatchObject([{ name: 'answer', person: adaId, request: { app: appId, accept } }]);
  });

  test('is accepted only after a fresh sign-in', async () => {
    const page = await home.ada.open('/me');
    const answered = await home.ada.send(page, path, { answer: 'accept' });
    expect(answered.headers.location).toBe('/in?fresh=1&next=%2Fme');
    expect(asked).toEqual([]);
  });

  test('lets go of the account when the person says so', async () => {
    more = { appName: 'School app' };
    expect((await home.ada.open('/me')).text).toContain('href="/me/app"');
    expect((await home.ada.open('/me/app')).headers.location).toBe('/in?fresh=1&next=%2Fme%2Fapp');
    const page = await fresh.open('/me/app');
    expectWords(page, 'School app holds your account');
    expect((await fresh.send(page, '/me/app')).headers.location).toBe('/me?done=app_left');
    expect(asked).toMatchObject([{ name: 'leave', person: adaId, request: { id: 'me' } }]);
    expect((await home.grace.open('/me/app')).headers.location).toBe('/me/sign-in');
  });

  test('is not answered by anything else', async () => {
    const page = await home.ada.open('/me');
    for (const answer of ['', 'yes']) {
      const { headers } = await home.ada.send(page, path, { answer });
      expect(headers.location).toBe('/me');
    }
    expect((await home.ada.open(path)).status).toBe(405);
    const csrf = csrfOf(page);
    for (const at of ['/me/apps/x', `/me/apps/${adaId}`])
      expect((await home.ada.post(at, { csrf, answer: 'accept' })).headers.location).toBe('/me');
    expect((await home.ada.post(path, { csrf: 'guess', answer: 'accept' })).status).toBe(403);
    expect(asked).toEqual([]);
  });

  test('for a child is mentioned, and answered on the family page', async () => {
    links = [{ app: appId, name: 'School', about: graceId }];
    const page = await home.ada.open('/me');
    expect(wordsOf(page)).toContain('One request about your children is waiting for your answer');
    expect(page.text).not.toContain(path);
    const csrf = csrfOf(page);
    await home.ada.post(path, { csrf, answer: 'accept' });
    expect(asked).toEqual([]);
  });

  test('does not prevent the page from being shown', async () => {
    linksFail = true;
    const page = await home.ada.open('/me');
    expectPage(page, 200, 'can’t be shown');
  });
});

describe('a guest', () => {
  test('adds an address', async () => {
    const page = await home.grace.open('/me');
    expect(wordsOf(page)).toContain('You can only get back in from this browser');
    const ask = await home.grace.open('/me/sign-in');
    const code = await home.grace.send(ask, '/me/sign-in', { email: 'grace@example.org' });
    expect(wordsOf(code)).toContain('We emailed it to grace@example.org');
    const done = await home.grace.send(code, '/me/sign-in/code', { code: '123 456' });
    expect(done.headers.location).toBe('/me?done=sign_in');
    const requests = asked.map(({ request }) => request as ClaimGuestRequest);
    expect(requests.map(({ email, code: digits }) => [email, digits])).toEqual([
      ['grace@example.org', undefined],
      ['grace@example.org', '123456'],
    ]);
    expect(home.logged.join()).not.toContain('123456');
  });

  test.each([
    ['/me/sign-in', badField('email', 'is no email address'), 'Enter a different email address'],
    ['/me/sign-in/code', badField('code', 'is not what was sent'), 'This code doesn’t work'],
    [
      '/me/sign-in/code',
      badField('email', 'is the sign-in of another account', { rule: 'taken' }),
      'This is already in use',
    ],
  ])('shows errors at %s', async (at, refusal, words) => {
    const ask = await home.grace.open('/me/sign-in');
    const sent = await home.grace.send(ask, '/me/sign-in', { email: 'grace@example.org' });
    failure = refusal;
    const from = at === '/me/sign-in' ? ask : sent;
    const again = await home.grace.send(from, at, { email: 'grace@example.org', code: '123456' });
    expectPage(again, 400, words);
  });

  test('who is too young is told to ask a guardian', async () => {
    const ask = await home.grace.open('/me/sign-in');
    failure = forbidden('ask a grown-up', { code: 'guardian_needed' });
    const page = await home.grace.send(ask, '/me/sign-in', { email: 'grace@example.org' });
    expectPage(page, 403, 'Ask an adult');
  });

  test('creates a passkey with the script', async () => {
    const page = await home.grace.open('/me/sign-in');
    const csrf = csrfOf(page);
    expect(page.text).toContain('data-options="/me/sign-in/passkey/options"');
    const say = (path: string, body: object) =>
      fetch(`${home.url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          cookie: `hearth_session=hearth_ps_${'g'.repeat(43)}`,
        },
        body: JSON.stringify(body),
      });
    expect(await (await say('/me/sign-in/passkey/options', { csrf })).json()).toEqual({ challenge: 'abc' });
    const kept = await say('/me/sign-in/passkey', { csrf, credential: { id: 'x' } });
    expect(await kept.json()).toEqual({ next: '/me?done=sign_in' });
    expect((asked[1]!.request as ClaimGuestRequest).passkey!.response).toBe('{"id":"x"}');
    expect((await say('/me/sign-in/passkey', { csrf: 'guess', credential: {} })).status).toBe(403);
    expect(asked).toHaveLength(2);
  });
});

describe('a person with a sign-in', () => {
  test('changes the address only after a fresh sign-in', async () => {
    const page = await home.ada.open('/me/sign-in');
    expect(page.headers.location).toBe('/in?fresh=1&next=%2Fme%2Fsign-in');
    const ask = await fresh.open('/me/sign-in');
    expect(wordsOf(ask)).toContain('New email address');
    expect(ask.text).not.toContain('data-passkey');
    failure = forbidden('sign in once more first', { code: 'needs_person', needsPerson: true });
    const late = await fresh.send(ask, '/me/sign-in', { email: 'new@example.org' });
    expect(late.headers.location).toBe('/in?fresh=1&next=%2Fme%2Fsign-in');
  });
});

describe('deleting the account', () => {
  test('needs a fresh sign-in; a guest has none to repeat', async () => {
    const page = await home.ada.open('/me/delete');
    expect(page.text).toContain('href="/in?fresh=1&#38;next=%2Fme%2Fdelete"');
    expect(page.text).not.toContain('name="confirm"');
    for (const who of [fresh, home.grace])
      expect((await who.open('/me/delete')).text).toContain('name="confirm"');
    expect(asked).toEqual([]);
  });

  test('needs the handle as confirmation', async () => {
    const page = await fresh.open('/me/delete');
    expect(wordsOf(page)).toContain('For 7 days, nothing changes, and you can undo this at any time.');
    failure = badField('confirm', 'must be the handle of the account, to show that it is meant');
    const wrong = await fresh.send(page, '/me/delete', { confirm: 'adda' });
    expectPage(wrong, 400, 'Enter @ada to confirm.');
    expect(wrong.text).toContain('value="adda"');
    failure = undefined;
    const long = await fresh.send(page, '/me/delete', { confirm: 'x'.repeat(50) });
    expect([long.status, asked]).toEqual([400, []]);
    const done = await fresh.send(page, '/me/delete', { confirm: '@ada' });
    expect(done.headers.location).toBe('/me');
    expect(asked).toMatchObject([{ name: 'delete', person: adaId }]);
    const { id, confirm } = asked[0]!.request as DeleteAccountRequest;
    expect([id, confirm]).toEqual(['me', '@ada']);
  });

  test('is refused once the sign-in is too old, with a link to sign in again', async () => {
    const page = await fresh.open('/me/delete');
    failure = forbidden('sign in again first', { code: 'needs_person', needsPerson: true });
    const late = await fresh.send(page, '/me/delete', { confirm: 'ada' });
    expect(wordsOf(late)).toContain('Sign in again first');
  });

  test('is shown while it is pending, and can be undone', async () => {
    facts.deletesAt = timestampFromMs(clock.now() + 6 * day);
    const page = await home.ada.open('/me');
    expect(wordsOf(page)).toContain('Your account will be deleted on Sat, 9 May 2026, 14:00');
    expect(page.text).not.toContain('href="/me/delete"');
    expect((await fresh.open('/me/delete')).headers.location).toBe('/me');
    const kept = await home.ada.send(page, '/me/keep');
    expect([kept.headers.location, asked]).toMatchObject([
      '/me?done=kept',
      [{ name: 'keep', request: { id: 'me' }, person: adaId }],
    ]);
  });

  test('is not for a person under 13', async () => {
    facts = { ageBand: AgeBand.CHILD, deletesAt: timestampFromMs(clock.now() + day) };
    const page = await home.ada.open('/me');
    expect(wordsOf(page)).toContain('A guardian can undo this until then.');
    expect(page.text).not.toContain('action="/me/keep"');
    facts = { ageBand: AgeBand.CHILD };
    expect(wordsOf(await home.ada.open('/me'))).toContain(
      'Only your guardian, or the app that holds your account, can delete it.',
    );
    expect((await fresh.open('/me/delete')).headers.location).toBe('/me');
  });
});

describe('a teenager', () => {
  const guardian = { guardian: { name: 'Joan', address: '@joan' } };

  test('sees the guardian, and asks to end the guardianship', async () => {
    facts = { ageBand: AgeBand.TEEN13 };
    more = { guardians: [guardian] };
    const page = await home.ada.open('/me');
    expect(wordsOf(page)).toContain('Your guardian J Joan @joan');
    const said = await home.ada.send(page, '/me/guardian/end');
    expect([said.headers.location, asked]).toMatchObject([
      '/me?done=said',
      [{ name: 'end', request: { id: 'me' } }],
    ]);
    more = { guardians: [{ ...guardian, childSaidEnd: true }] };
    const waits = await home.ada.open('/me');
    expect(wordsOf(waits)).toContain('It ends when Joan agrees');
    expect(waits.text).not.toContain('action="/me/guardian/end"');
  });

  test('sees that the guardian has already asked for it', async () => {
    facts = { ageBand: AgeBand.TEEN16 };
    more = { guardians: [{ ...guardian, guardianSaidEnd: true }] };
    expect(wordsOf(await home.ada.open('/me'))).toContain('Joan wants to end the guardianship.');
  });

  test('under 13 cannot ask for it', async () => {
    facts = { ageBand: AgeBand.CHILD };
    more = { guardians: [guardian] };
    expect((await home.ada.open('/me')).text).not.toContain('action="/me/guardian/end"');
  });
});
