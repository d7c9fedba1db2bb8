import { afterAll, expect, test } from '@jest/globals';
import { attachDevice, startBrowser } from './support/browser.ts';
import { startWholeHome } from './support/whole-home.ts';

/** A guest's first passkey sign-in, in a real browser with its own authenticator. */

const [browser, home] = await Promise.all([startBrowser(), startWholeHome()]);
const page = await (await browser.createBrowserContext()).newPage();
const device = await attachDevice(page);

afterAll(async () => {
  await browser.close();
  await home.stop();
});

async function press(selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

/** A link into a group that accepts every joiner. */
async function openLink(): Promise<string> {
  const app = await home.newApp({ name: 'Walks', contact_email: 'ops@walks.example' });
  const { body: olga } = await app.post('/v0/people', { name: 'Olga', age_band: 'adult' });
  const asOlga = { 'svc-acting-for': olga.id as string };
  const settings = { minors: 'no', join_review: 'none' };
  const { body: group } = await app.post('/v0/groups', { name: 'Walks', settings }, asOlga);
  const { body: invite } = await app.post(`/v0/groups/${group.id}/invites`, {}, asOlga);
  return `http://localhost:${home.port}/i/${invite.code}`;
}

test('a guest creates a passkey, signs out, and signs in with it', async () => {
  await page.goto(await openLink());
  await page.type('[name="name"]', 'Grace');
  await page.select('[name="birth_month"]', '7');
  await page.type('[name="birth_year"]', '1990');
  await press('form[action$="/guest"] button');
  await press('a[href="/me/sign-in"]');
  await page.waitForSelector('[data-passkey="create"]:not([hidden]) button');
  await press('[data-passkey="create"] button');
  expect(page.url()).toMatch(/\/me\?done=sign_in$/);
  expect(await device.passkeys()).toHaveLength(1);
  await page.goto(`http://localhost:${home.port}/me`);
  await press('main form[action="/out"] button');
  await page.goto(`http://localhost:${home.port}/in?next=%2Fme`);
  await page.waitForSelector('[data-passkey="get"]:not([hidden]) button');
  await press('[data-passkey="get"] button');
  const words = await page.$eval('main', ({ textContent }) => textContent);
  expect(words).toContain('Passkey, created');
  expect(words).not.toContain('You can only get back in from this browser');
});
