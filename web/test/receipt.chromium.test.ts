import { readFileSync } from 'node:fs';
import * as web from '@hearth/web';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { complaintsOf, type Site, screenshotPath, serve, startBrowser } from './browser.ts';
import * as inPage from './in-page.js';
import { samples } from './samples.ts';

interface Vector {
  name: string;
  object?: object;
  text?: string;
}

const vectors = JSON.parse(
  readFileSync(new URL('../../interop/vectors/records/records.json', import.meta.url), 'utf8'),
) as { keys: object[]; cases: Vector[] };
const textOf = (name: string): string => {
  const { text, object } = vectors.cases.find((vector) => vector.name === name)!;
  return text ?? JSON.stringify(object, null, 2);
};

const pages = new Map(
  samples()
    .filter(({ name }) => ['receipt', 'receipt-check'].includes(name))
    .map(({ name, page }) => [name, page]),
);

let browser: Browser;
let context: BrowserContext;
let page: Page;
let site: Site;
let complaints: string[];
let document: { status: number; body: object };

beforeAll(async () => {
  browser = await startBrowser();
  const documents = { [web.paths.homeDocument]: () => document };
  site = await serve(pages, documents);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});
beforeEach(async () => {
  document = { status: 200, body: { home: 'home.example', keys: vectors.keys } };
  context = await browser.createBrowserContext();
  page = await context.newPage();
  complaints = complaintsOf(page);
});
afterEach(() => context.close());

/** Pastes a record and presses the button; returns the resulting text. */
async function paste(text: string, name = 'receipt-check'): Promise<string> {
  await page.goto(site.url(name));
  await page.$eval(
    '#record',
    (area, value) => {
      (area as unknown as { value: string }).value = value;
    },
    text,
  );
  await page.click('[data-check] button');
  await page.waitForSelector('[data-check-verdict] .notice');
  return (await page.$eval('[data-check-verdict]', ({ textContent }) => textContent)) ?? '';
}

describe('a pasted receipt', () => {
  test.each([
    ['signed by the active key', '✓Valid', 'Asked: May we book the hall on Friday?'],
    ['signed by a retired key while it was valid', '✓Valid', '(a person): approved, Friday'],
    ['members in another order and with white space', '✓Valid', 'Final status: approved'],
    ['a member changed', '×Not valid', 'the receipt was changed'],
    ['a member added', '×Not valid', 'the receipt was changed'],
    ['a member twice', '×Not valid', 'the same field twice'],
    ['signed by a key of another home', '×Not valid', 'doesn’t list this key'],
    ['the kid of another key of the home', '×Not valid', 'no longer valid when'],
    ['jwk', '×Not valid', 'isn’t in the form that receipts use'],
    ['signed by a revoked key, dated before the revocation', '×Key revoked', 'was revoked'],
  ])('%s', async (name, title, words) => {
    const shown = await paste(textOf(name));
    expect(shown.startsWith(title)).toBe(true);
    expect(shown).toContain(words);
    // Nothing was sent anywhere: the page is the same, and it only fetched files of this home.
    expect(page.url()).toBe(site.url('receipt-check'));
    expect(complaints).toEqual([]);
  });

  test('of another home is reported as such', async () => {
    document.body = { home: 'hearth.example', keys: vectors.keys };
    expect(await paste(textOf('signed by the active key'))).toContain('From another home');
  });

  test('gets no verdict while the keys are unavailable', async () => {
    document = { status: 503, body: {} };
    expect(await paste(textOf('signed by the active key'))).toContain('Not checked');
  });

  test('is shown as text, whatever it contains', async () => {
    const shown = await paste('{"home": "<img src=x onerror=alert(1)>"}', 'receipt');
    expect(shown).toContain('<img src=x');
    expect(await page.$$('[data-check-verdict] img')).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

test('says where it is verified, and looks right', async () => {
  for (const width of [360, 1280]) {
    await page.setViewport({ width, height: 800 });
    await paste(textOf('signed by the active key'), 'receipt');
    const where = await page.$eval('[data-check-where]', ({ textContent }) => textContent);
    expect(where).toContain('Your browser verifies');
    for (const look of [
      inPage.findOverflow,
      inPage.findSmallTargets,
      inPage.findFaint,
      inPage.findUnlabelled,
    ])
      expect(await page.evaluate(look)).toEqual([]);
    const path = screenshotPath(`receipt-script-${width}-light`);
    await page.screenshot({ path, fullPage: true });
  }
});

test('the receipt is copied whole', async () => {
  await context.overridePermissions(new URL(site.url('')).origin, [
    'clipboard-read',
    'clipboard-write',
    'clipboard-sanitized-write',
  ]);
  await page.goto(site.url('receipt'));
  await page.waitForSelector('[data-copy]', { visible: true });
  await page.click('[data-copy]');
  await page.waitForFunction(
    "document.querySelector('[data-copy] + [role=status]').textContent === 'Copied.'",
  );
  const json = await page.$eval('#json', (area) => (area as unknown as { value: string }).value);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(json);
});
