import { english, t, verbatim } from '@hearth/i18n';
import * as web from '@hearth/web';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { type Answers, complaintsOf, type Site, screenshotPath, serve, startBrowser } from './browser.ts';
import * as inPage from './in-page.js';

const anybody: web.Frame = { language: english, home: 'localhost', csrf: 'csrf-value' };
const ada: web.Frame = { ...anybody, person: { name: 'Ada' } };
const carried = { next: '/done' };
const challenge = 'Y2hhbGxlbmdlLW9mLXRoZS1ob21l';
const user = { id: 'dXNlci1hZGE', name: 'ada', displayName: 'Ada' };

const pages = new Map([
  ['in', web.signInPage(anybody, { passkeys: true, carried })],
  ['new', web.addPasskeyPage(ada, { next: '/ais', carried })],
  ['account', web.newAccountPage(anybody, { email: 'ada@example.org' })],
  ['chosen', web.newAccountPage(anybody, { email: 'ada@example.org', values: { time_zone: 'Asia/Tokyo' } })],
  ['write', web.newMessagePage(ada, { values: {}, attempt: 'a' })],
  [
    'wrong',
    web.newMessagePage(ada, { values: {}, attempt: 'a', errors: { to: verbatim('Write an address.') } }),
  ],
  // The answers to both forms.
  ['messages/new', web.messagePage(ada, { title: t('ask.sent'), words: verbatim('It is sent.') })],
  ['done', web.messagePage(ada, { title: verbatim('Done'), words: verbatim('You are in.') })],
]);

let browser: Browser;
let context: BrowserContext;
let page: Page;
let site: Site;
let complaints: string[];
/** The script's requests, by path. */
let sent: Record<string, Record<string, unknown>>;
/** The answer to a passkey. */
let verdict: { status: number; body: object };

const record =
  (path: string, body: object): Answers[string] =>
  (json) => {
    sent[path] = json;
    return { status: 200, body };
  };

const judge =
  (path: string): Answers[string] =>
  (json) => {
    sent[path] = json;
    return verdict;
  };

const answers: Answers = {
  [web.paths.passkeyOptions]: record(web.paths.passkeyOptions, {
    challenge,
    rpId: 'localhost',
    userVerification: 'required',
  }),
  [web.paths.newPasskeyOptions]: record(web.paths.newPasskeyOptions, {
    ...{ challenge, user, rp: { id: 'localhost', name: 'localhost' } },
    pubKeyCredParams: [-7, -257].map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  }),
  [web.paths.passkey]: judge(web.paths.passkey),
  [web.paths.newPasskey]: judge(web.paths.newPasskey),
};

beforeAll(async () => {
  browser = await startBrowser();
  site = await serve(pages, answers);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});
beforeEach(async () => {
  sent = {};
  verdict = { status: 200, body: { next: '/done' } };
  context = await browser.createBrowserContext();
  page = await context.newPage();
  complaints = complaintsOf(page);
});
afterEach(() => context.close());

/** Adds an authenticator that approves everything. */
async function addAuthenticator(): Promise<void> {
  const session = await page.createCDPSession();
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}

/** Simulates a browser with passkeys but without the newer JSON helpers. */
async function forgetHelpers(): Promise<void> {
  await page.evaluateOnNewDocument(`
    delete PublicKeyCredential.parseRequestOptionsFromJSON;
    delete PublicKeyCredential.parseCreationOptionsFromJSON;
    delete PublicKeyCredential.prototype.toJSON;`);
}

async function makePasskey(): Promise<void> {
  await page.goto(site.url('new'));
  await Promise.all([page.waitForNavigation(), page.click('[data-passkey=create] button')]);
}

interface SentCredential {
  id: string;
  rawId: string;
  type: string;
  response: Record<string, string>;
}

const clientDataOf = ({ response }: SentCredential): unknown =>
  JSON.parse(Buffer.from(response['clientDataJSON']!, 'base64url').toString());

describe.each([
  ['with the helpers for JSON', async () => {}],
  ['without them', forgetHelpers],
])('a passkey, in a browser %s', (_, prepare) => {
  beforeEach(async () => {
    await addAuthenticator();
    await prepare();
  });

  test('is created, and leads on to the next page', async () => {
    await makePasskey();
    expect(page.url()).toBe(site.url('done'));
    const { credential, csrf } = sent[web.paths.newPasskey] as { credential: SentCredential; csrf: string };
    expect(csrf).toBe('csrf-value');
    expect(clientDataOf(credential)).toMatchObject({ type: 'webauthn.create', challenge });
    expect(Buffer.from(credential.response['attestationObject']!, 'base64url').byteLength).toBeGreaterThan(
      100,
    );
    expect(complaints).toEqual([]);
  });

  test('signs in, with the fields of the form', async () => {
    await makePasskey();
    await page.goto(site.url('in'));
    await Promise.all([page.waitForNavigation(), page.click('[data-passkey=get] button')]);
    expect(page.url()).toBe(site.url('done'));
    expect(sent[web.paths.passkeyOptions]).toEqual({ csrf: 'csrf-value', next: '/done' });
    const { credential, ...fields } = sent[web.paths.passkey] as { credential: SentCredential };
    expect(fields).toEqual({ csrf: 'csrf-value', next: '/done' });
    expect(credential).toMatchObject({ type: 'public-key', id: credential.rawId });
    expect(clientDataOf(credential)).toMatchObject({ type: 'webauthn.get', challenge });
    expect(Buffer.from(credential.response['userHandle']!, 'base64url').toString()).toBe('user-ada');
    expect(complaints).toEqual([]);
  });
});

describe('a refused passkey', () => {
  beforeEach(addAuthenticator);

  test("shows the home's message, and can be tried again", async () => {
    await makePasskey();
    await page.goto(site.url('in'));
    verdict = { status: 400, body: { error: 'This passkey isn’t known here.' } };
    await page.click('[data-passkey=get] button');
    await page.waitForSelector('[data-passkey-error]:not([hidden])');
    const words = await page.$eval('[data-passkey-error]', ({ textContent }) => textContent);
    expect(words).toBe('This passkey isn’t known here.');
    verdict = { status: 200, body: { next: '/done' } };
    await Promise.all([page.waitForNavigation(), page.click('[data-passkey=get] button')]);
    expect(page.url()).toBe(site.url('done'));
  });

  test('never leads to another site', async () => {
    await makePasskey();
    await page.goto(site.url('in'));
    verdict = { status: 200, body: { next: 'https://evil.example/' } };
    await page.click('[data-passkey=get] button');
    await page.waitForSelector('[data-passkey=get] button:not([disabled])');
    expect(page.url()).toBe(site.url('in'));
  });
});

test('the button is as easy to see, to press and to reach as the others', async () => {
  for (const width of [360, 1280]) {
    await page.setViewport({ width, height: 800 });
    await page.goto(site.url('in'));
    await page.waitForSelector('[data-passkey=get] button', { visible: true });
    for (const look of [
      inPage.findOverflow,
      inPage.findSmallTargets,
      inPage.findFaint,
      inPage.findUnlabelled,
    ]) {
      expect(await page.evaluate(look)).toEqual([]);
    }
    const path = screenshotPath(`sign-in-script-${width}-light`);
    await page.screenshot({ path, fullPage: true });
  }
});

test.each([
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
])('a browser that calls its zone %s, and others as requested, selects %s', async (here, chosen) => {
  await page.evaluateOnNewDocument(`
    Intl.DateTimeFormat = (_, { timeZone = '${here}' } = {}) => ({ resolvedOptions: () => ({ timeZone }) });`);
  await page.goto(site.url('account'));
  expect(await page.$eval('#time_zone', (select) => (select as unknown as { value: string }).value)).toBe(
    chosen,
  );
});

test("the browser's zone is selected, unless the person chose one", async () => {
  await page.emulateTimezone('America/New_York');
  const zone = () => page.$eval('#time_zone', (select) => (select as unknown as { value: string }).value);
  await page.goto(site.url('account'));
  expect(await zone()).toBe('America/New_York');
  // The browser calls it Asia/Calcutta.
  await page.emulateTimezone('Asia/Kolkata');
  await page.goto(site.url('account'));
  expect(await zone()).toBe('Asia/Kolkata');
  await page.goto(site.url('chosen'));
  expect(await zone()).toBe('Asia/Tokyo');
});

describe('a form', () => {
  const typed = () => page.$eval('#text', (area) => (area as unknown as { value: string }).value);

  test('without a connection is not sent, keeps its text and says so', async () => {
    await page.goto(site.url('write'));
    await page.type('#text', 'Words of an hour');
    await page.setOfflineMode(true);
    await page.click('main form button');
    const told = await page.waitForSelector('main form [role=alert]');
    expect(await told!.evaluate(({ textContent }) => textContent)).toContain('what you wrote is still here');
    expect([page.url(), await typed()]).toEqual([site.url('write'), 'Words of an hour']);
    await page.setOfflineMode(false);
    await Promise.all([page.waitForNavigation(), page.click('main form button')]);
    expect(page.url()).toContain(web.paths.newMessage);
  });

  test('that was not sent keeps its values when the person returns; a sent form is reloaded', async () => {
    await page.goto(site.url('write'));
    await page.type('#text', 'Half of it');
    const comeBack = () =>
      page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await comeBack();
    expect(await typed()).toBe('Half of it');
    // Submits the form into another frame, so that the page stays.
    await page.evaluate(`document.querySelector('main form').target = 'elsewhere'`);
    await page.click('main form button');
    await Promise.all([page.waitForNavigation(), comeBack()]);
    expect(await typed()).toBe('');
  });

  test('with errors opens with the focus on them', async () => {
    await page.goto(site.url('wrong'));
    expect(await page.evaluate(`document.activeElement.textContent`)).toContain('Write an address.');
  });
});
