import { codeFor } from '@hearth/testkit/web-visitor';
import { afterAll, describe, expect, test } from '@jest/globals';
import { attachDevice, startBrowser } from './support/browser.ts';
import { answerOf, authorizationRequest, exchange, register } from './support/oauth-client.ts';
import { startWholeHome } from './support/whole-home.ts';

/** Passkeys, and the whole way of a person sent by a program, in a real browser with its own authenticator. */

const [browser, home] = await Promise.all([startBrowser(), startWholeHome()]);
const { site } = home;
const context = await browser.createBrowserContext();
const page = await context.newPage();
const complaints: string[] = [];
page.on('console', (message) => {
  if (message.type() === 'error') complaints.push(message.text());
});
page.on('pageerror', (error) => complaints.push(String(error)));
const device = await attachDevice(page);

afterAll(async () => {
  await browser.close();
  await home.stop();
});

const path = () => new URL(page.url()).pathname;

async function press(selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

async function fill(fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    await page.$eval(
      `[name="${name}"]`,
      (field, text) => {
        (field as unknown as { value: string }).value = text;
      },
      value,
    );
  }
}

async function read(path: string) {
  const cookies = await context.cookies();
  const token = cookies.find(({ name }) => name === 'hearth_session')?.value ?? '';
  return await home.api(token).get(path);
}

const whoami = () => read('/v0/me');

async function passkeyButton(): Promise<void> {
  await page.waitForSelector('[data-passkey]:not([hidden]) button');
}

describe('a person with a device', () => {
  test('creates an account by email, and a passkey', async () => {
    await page.goto(`${site}/in`);
    await fill({ email: 'ada@example.com' });
    await press('form[action="/in/email"] button');
    await fill({ code: codeFor(home.lines, 'ada@example.com') });
    await press('form[action="/in/code"] button');
    await fill({ name: 'Ada Lovelace', birth_month: '12', birth_year: '1990', time_zone: 'Europe/London' });
    await press('form[action="/in/account"] button');
    expect(path()).toBe('/in/passkey/new');
    await passkeyButton();
    await press('[data-passkey="create"] button');
    expect(await device.passkeys()).toEqual([{ rpId: 'localhost', signCount: 1 }]);
    expect(await whoami()).toMatchObject({ status: 200, body: { address: '@ada-lovelace' } });
  });

  test("is signed in with the new passkey, and the operator's pages open", async () => {
    const { id } = (await read('/v0/people/me')).body as { id: string };
    await home.restart({ HEARTH_OPERATORS: id });
    await page.goto(`${site}/ops`);
    expect(await page.$eval('h1', (element) => element.textContent)).toBe('This home');
  });

  test('signs out, and in again with it', async () => {
    await press('form[action="/out"] button');
    expect((await whoami()).status).toBe(401);
    await page.goto(`${site}/in`);
    await passkeyButton();
    await press('[data-passkey="get"] button');
    expect(path()).toBe('/requests');
    expect(await whoami()).toMatchObject({ status: 200, body: { address: '@ada-lovelace' } });
    expect(await device.passkeys()).toEqual([{ rpId: 'localhost', signCount: 2 }]);
  });

  test('returns to where they were going', async () => {
    await page.goto(`${site}/in?fresh=1&next=%2Fin%2Fpasskey%2Fnew`);
    await passkeyButton();
    await press('[data-passkey="get"] button');
    expect(path()).toBe('/in/passkey/new');
  });

  test('cannot sign in without user verification on the device', async () => {
    await page.goto(`${site}/in?fresh=1`);
    await passkeyButton();
    await device.setOwnerPresent(false);
    try {
      await page.click('[data-passkey="get"] button');
      await page.waitForSelector('[data-passkey-error]:not([hidden])');
      expect(path()).toBe('/in');
    } finally {
      await device.setOwnerPresent(true);
    }
  });

  test("authorizes a program in a browser that enforces the page's form policy", async () => {
    const program = await register(site, { redirect_uris: [`http://localhost:${home.port}/ais`] });
    const request = await authorizationRequest(program, { scope: 'read approve' });
    await page.goto(request.url);
    expect(path()).toMatch(/^\/oauth\/interaction\//);
    await page.click('[name="scope"][value="approve"]');
    await fill({ new_name: 'By passkey' });
    await press('button[name="decision"][value="allow"]');
    const answered = new Headers({ location: page.url() });
    const parameters = answerOf(program, { url: '', status: 303, headers: answered, text: '' }, request);
    const tokens = await exchange(program, parameters, request);
    expect(tokens).toMatchObject({ scope: 'read approve', ai: { address: '@ada-lovelace.ai-by-passkey' } });
  });

  test('cannot sign in with a copy of the device', async () => {
    await device.rewind();
    await page.goto(`${site}/in?fresh=1`);
    await passkeyButton();
    await page.click('[data-passkey="get"] button');
    await page.waitForSelector('[data-passkey-error]:not([hidden])');
    const words = await page.$eval('[data-passkey-error]', (element) => element.textContent);
    expect(words).toContain('wasn’t accepted');
    expect(path()).toBe('/in');
  });

  test('sees no browser errors except the refusals', async () => {
    expect(complaints.filter((words) => !words.includes('400 (Bad Request)'))).toEqual([]);
  });
});
