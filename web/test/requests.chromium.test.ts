import * as web from '@hearth/web';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { complaintsOf, type Site, screenshotPath, serve, startBrowser } from './browser.ts';
import * as inPage from './in-page.js';
import { samples } from './samples.ts';

const names = ['requests', 'ask'];
const pages = new Map(
  samples()
    .filter(({ name }) => names.includes(name))
    .map(({ name, page }) => [name, page]),
);

let browser: Browser;
let context: BrowserContext;
let page: Page;
let site: Site;
let complaints: string[];
/** Submitted forms and opened pages: paths and bodies. */
let went: string[];

beforeAll(async () => {
  browser = await startBrowser();
  site = await serve(pages);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});
beforeEach(async () => {
  context = await browser.createBrowserContext();
  page = await context.newPage();
  complaints = complaintsOf(page);
  went = [];
  await page.goto(site.url('requests'));
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const isOpened = request.method() === 'GET' && names.some((name) => request.url() === site.url(name));
    if (!request.isNavigationRequest() || isOpened) return void request.continue();
    went.push(`${new URL(request.url()).pathname} ${request.postData() ?? ''}`.trim());
    void request.respond({ status: 204 });
  });
});
afterEach(() => context.close());

const focused = () =>
  page.evaluate(
    "document.activeElement.closest('.request')?.querySelector('h3 .theirs').textContent ?? null",
  );

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key as 'a');
}

/** Waits for the result of a key. */
async function firstSent(): Promise<string> {
  for (let tries = 0; tries < 50 && went.length === 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return went[0] ?? 'nothing';
}

describe('the keyboard shortcuts', () => {
  test('go from one request to the next and back, and stay within the list', async () => {
    await press('j');
    expect(await focused()).toContain('May I book');
    await press('j', 'j');
    expect(await focused()).toContain('Hello Ada');
    await press('k');
    expect(await focused()).toContain('Which evening');
    await press('k', 'k', 'k');
    expect(await focused()).toContain('May I book');
    await press('j', 'j', 'j', 'j', 'j', 'j');
    expect(await focused()).toContain('Allotment');
    expect(complaints).toEqual([]);
  });

  test('approve nothing before a request is selected', async () => {
    await press('a', 'd', 'n', 'x');
    expect(went).toEqual([]);
    expect(await page.$$('details[open]')).toEqual([]);
  });

  test("approve with the row's button and the shown digest", async () => {
    await press('j', 'a');
    expect(await firstSent()).toMatch(
      /^\/requests\/apr_01 csrf=csrf-value&type=approval&digest=sha-256%3A.*&do=yes$/,
    );
  });

  test('open requests that need more than a yes', async () => {
    await press('j', 'j', 'a');
    expect(await firstSent()).toBe('/a/apr_02');
  });

  test('ask for the reason before they decline, and ignore typing', async () => {
    await press('j', 'd');
    await page.keyboard.type('jak, no');
    expect(went).toEqual([]);
    await page.click('.request [data-decline] button');
    expect(await firstSent()).toMatch(/^\/requests\/apr_01 .*do=no&note=jak%2C\+no$/);
  });

  test('tick rows for the form below, which sends them all', async () => {
    await press('j', 'x', 'j', 'j', 'x');
    await page.click('#ticked button[value=no]');
    const form = new URLSearchParams((await firstSent()).split(' ')[1]);
    expect(form.getAll('item')).toEqual([
      'approval apr_01 tap sha-256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
      'message msg_03 tap ',
    ]);
    expect(form.getAll('item').map(web.readTicked)).toMatchObject([
      { type: 'approval', id: 'apr_01', yes: 'tap' },
      { type: 'message', id: 'msg_03', digest: '' },
    ]);
  });

  test('do nothing with Control, and nothing once they are switched off, also after a reload', async () => {
    await page.keyboard.down('Control');
    await press('j');
    await page.keyboard.up('Control');
    expect(await focused()).toBeNull();
    await page.click('[data-keys] summary');
    await page.click('#keys-on');
    await press('j');
    expect(await focused()).toBeNull();
    await page.reload();
    await press('j', 'a');
    expect([await focused(), went]).toEqual([null, []]);
  });

  test('are listed on the page, which looks right', async () => {
    for (const width of [360, 1280]) {
      await page.setViewport({ width, height: 800 });
      await page.$$eval('details', (all) => {
        for (const details of all as unknown as { name: string; open: boolean }[]) {
          if (details.name !== 'row-0') details.open = true;
        }
      });
      for (const look of [
        inPage.findOverflow,
        inPage.findSmallTargets,
        inPage.findFaint,
        inPage.findUnlabelled,
      ])
        expect(await page.evaluate(look)).toEqual([]);
      const path = screenshotPath(`requests-script-${width}-light`);
      await page.screenshot({ path, fullPage: true });
    }
    const words = await page.$$eval('[data-keys] kbd', (all) => all.map(({ textContent }) => textContent));
    for (const key of ['j', 'k', 'a', 'd']) expect(words).toContain(key);
  });
});

test('the Enter key adds a line to a note, and answers nothing', async () => {
  await page.goto(site.url('ask'));
  await page.click('.note summary');
  await page.focus('#note');
  await page.keyboard.type('Yes,');
  await press('Enter');
  await page.keyboard.type('but not before seven');
  expect(went).toEqual([]);
  await page.click('button[value=declined]');
  expect(await firstSent()).toMatch(/^\/a\/apr_01 .*decision=declined&note=Yes%2C%0D%0Abut/);
});
