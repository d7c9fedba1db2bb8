import { pseudo, pseudoRightToLeft } from '@hearth/i18n/pseudo';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'puppeteer-core';
import { type Site, screenshotPath, serve, startBrowser } from './browser.ts';
import * as inPage from './in-page.js';
import { samples } from './samples.ts';

/** Main pages, of which there are pictures for people to look at. */
const pictured = ['requests', 'messages', 'group', 'account', 'ask', 'rules'];

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.setViewport({ width: 360, height: 740 });
});
afterAll(() => browser.close());

describe.each([
  ['long texts', pseudo],
  ['texts from right to left', pseudoRightToLeft],
])('on a phone, %s', (_, language) => {
  const pages = new Map(samples((text) => text, language).map(({ name, page }) => [name, page]));
  let site: Site;
  beforeAll(async () => {
    site = await serve(pages);
  });
  afterAll(() => site.close());

  test.each([...pages.keys()])('%s', async (name) => {
    await page.goto(site.url(name), { waitUntil: 'load' });
    if (pictured.includes(name))
      await page.screenshot({
        path: screenshotPath(`${name}-${language.tag}`),
        fullPage: true,
        optimizeForSpeed: true,
      });
    expect(await page.evaluate(inPage.findOverflow)).toEqual([]);
    expect(await page.evaluate(inPage.findClipped)).toEqual([]);
    expect(await page.evaluate(inPage.findTorn)).toEqual([]);
  });
});
