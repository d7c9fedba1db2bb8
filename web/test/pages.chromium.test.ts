import { setTimeout as sleep } from 'node:timers/promises';
import { sampled } from '@hearth/testkit/sample';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { complaintsOf, type Site, screenshotPath, serve, startBrowser } from './browser.ts';
import * as inPage from './in-page.js';
import { samples } from './samples.ts';

const pages = new Map(samples().map(({ name, page }) => [name, page]));
const sizes = [
  { width: 360, height: 740, deviceScaleFactor: 1 },
  { width: 1280, height: 800, deviceScaleFactor: 1 },
];
const schemes = ['light', 'dark'];
/** Drawing a long page takes longer than checking it, so each size is pictured in only one scheme. */
const pictured = sampled(['360-light', '1280-dark'], ['360-light', '360-dark', '1280-light', '1280-dark']);

/** Checks of a page's look at one size in one scheme. */
const looks = [inPage.findOverflow, inPage.findSmallTargets, inPage.findFaint, inPage.findTorn];

let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  context = await browser.createBrowserContext();
  page = await context.newPage();
  // The browser's window may lose focus, and the page would then show none.
  await page.emulateFocusedPage(true);
  complaints = complaintsOf(page);
});
afterEach(() => context.close());

describe('without scripts, at every size and in every scheme', () => {
  let site: Site;
  beforeAll(async () => {
    site = await serve(pages);
  });
  afterAll(() => site.close());

  test.each([...pages.keys()])('%s', async (name) => {
    await page.setJavaScriptEnabled(false);
    await page.goto(site.url(name));
    for (const size of sizes) {
      await page.setViewport(size);
      for (const scheme of schemes) {
        await page.emulateMediaFeatures([
          { name: 'prefers-color-scheme', value: scheme },
          // Prevents checks during a colour transition.
          { name: 'prefers-reduced-motion', value: 'reduce' },
        ]);
        for (const look of looks) expect(await page.evaluate(look)).toEqual([]);
        const look = `${size.width}-${scheme}`;
        if (pictured.includes(look))
          await page.screenshot({
            path: screenshotPath(`${name}-${look}`),
            fullPage: true,
            optimizeForSpeed: true,
          });
      }
    }
    expect(await page.evaluate(inPage.findUnlabelled)).toEqual([]);
    expect(await tabThrough(page)).toEqual(await page.evaluate(inPage.listStops));
    expect(complaints).toEqual([]);
  });
});

test('the checks find faults', async () => {
  const bad = `<!doctype html><html lang="en"><title>x</title>
    <p style="width:2000px">wide and <span class="faint">faint</span></p><form><input type="text" name="a"></form>
    <a href="/" class="button">x</a><a href="/" class="button">Bare <bdi>theirs</bdi></a>
    <a href="/" class="button">Book<span class="unseen"> at seven</span></a><a href="/" class="button"><bdi>theirs</bdi></a><link rel="stylesheet" href="/missing.css">`;
  const site = await serve(new Map([['bad', bad]]));
  try {
    await page.goto(site.url('bad'));
    await page.evaluate(inPage.spoil);
    expect(await page.evaluate(inPage.findOverflow)).toHaveLength(1);
    expect((await page.evaluate(inPage.findFaint)).join()).toContain('faint');
    expect((await page.evaluate(inPage.findSmallTargets)).join()).toContain('class="button"');
    expect(await page.evaluate(inPage.findTorn)).toHaveLength(2);
    const unlabelled = (await page.evaluate(inPage.findUnlabelled)).join();
    for (const words of ['has no label', 'is not safe to send', 'headings', 'not one main']) {
      expect(unlabelled).toContain(words);
    }
    expect(complaints.join()).toContain('Content Security Policy');
    expect(complaints.join()).toContain('missing.css was not had');
  } finally {
    await site.close();
  }
});

/** The stops of the Tab key from the beginning of the page to its end; each shows that it has the focus. */
async function tabThrough(page: Page): Promise<number[]> {
  const stops: number[] = [];
  // A page with errors has the focus at them at first.
  await page.focus('.skip');
  await page.keyboard.down('Shift');
  await page.keyboard.press('Tab');
  await page.keyboard.up('Shift');
  for (;;) {
    await page.keyboard.press('Tab');
    let focus = await page.evaluate(inPage.whereFocusIs);
    // A date has a stop for each of its parts, which show the focus themselves.
    if (focus !== null && focus.at === stops.at(-1) && /type="date/.test(focus.html)) continue;
    // A busy machine scrolls to it a little later.
    for (let tries = 0; focus?.seen === false && tries < 20; tries += 1) {
      await sleep(100);
      focus = await page.evaluate(inPage.whereFocusIs);
    }
    if (focus === null || stops.includes(focus.at)) return stops;
    expect(focus).toEqual({ ...focus, seen: true });
    stops.push(focus.at);
  }
}
