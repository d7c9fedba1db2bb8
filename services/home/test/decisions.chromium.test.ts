import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit';
import { type WebPage, type WebVisitor, webVisitor, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'puppeteer-core';
import { startBrowser } from './support/browser.ts';
import { startWholeHome } from './support/whole-home.ts';

/** A family decides on its home's pages: in two browsers with the keyboard, and without scripts. */

const [browser, home] = await Promise.all([
  startBrowser(),
  // A guardian's tap counts only on the home's own pages.
  startWholeHome({ env: { HEARTH_CHILD_TAPS: 'home' } }),
]);
const { site } = home;
const app = await home.newApp({ name: 'Family planner', minors: true });
const [ada, ben, stranger] = await Promise.all([
  home.signIn('ada@example.com', { name: 'Ada Lovelace' }),
  home.signIn('ben@example.com', { name: 'Ben Bowline' }),
  home.signIn('stranger@example.com', { name: 'Carol Cleat' }),
]);
/** The group's handle, without the &. */
let group: string;
let kit: string;
let adaId: string;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Body = any;

afterAll(async () => {
  await browser.close();
  await home.stop();
});

/** The app, acting for a person it holds. */
async function as(person: string, method: string, path: string, body: object = {}): Promise<Body> {
  const answer = await app.request(method, path, body, { 'svc-acting-for': person });
  if (answer.status >= 400)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

beforeAll(async () => {
  const me = await home.api(ada.cookie('hearth_session')!).get('/v0/people/me');
  adaId = me.body.id;
  await app.post(`/v0/app/people/${encodeURIComponent(me.body.address)}/link`);
  const asks = await ada.open('/me');
  const [, action = ''] = /action="(\/me\/apps\/[^"]+)"/.exec(asks.text) ?? [];
  await ada.send(asks, action, { answer: 'accept' });
  const born = `${new Date().getUTCFullYear() - 9}-01`;
  const child = { name: 'Kit Quillfeather', birth_year_month: born, guardian: adaId };
  kit = (await app.post('/v0/people', child)).body.id;
  const settings = { minors: 'guardian', join_review: 'none' };
  const fields = { name: 'The family', settings, time_zone: 'Europe/Zurich' };
  const made = await as(adaId, 'POST', '/v0/groups', fields);
  group = made.address;
  const invite = async (forAge: string) =>
    (await as(adaId, 'POST', `/v0/groups/${made.id}/invites`, { for_age: forAge })).code;
  const path = `/i/${await invite('adult')}`;
  await ben.send(await ben.open(path), path);
  await as(kit, 'POST', `/v0/invites/${await invite('child')}/accept`);
  const family = await ada.open('/family');
  const [, join = ''] = /action="(\/family\/[^"]*\/joins\/[^"]*)"/.exec(family.text) ?? [];
  await ada.send(family, join, { decision: 'approved' });
});

const start = async (more: object = {}): Promise<string> => {
  const when = { kind: 'when', prompt: 'Which evening?', options: ['2090-05-03T18:00', '2090-05-04T18:00'] };
  const choice = { kind: 'choice', prompt: 'What do we eat?', options: ['Pizza', 'Soup'] };
  const questions = [when, choice, { kind: 'bring', prompt: 'What do you bring?' }];
  return (await as(adaId, 'POST', '/v0/decisions', { title: 'Dinner <b>', group, questions, ...more })).id;
};

async function open(browser: Browser, who: WebVisitor, path: string): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage();
  const cookie = { name: 'hearth_session', value: who.cookie('hearth_session')!, url: site };
  await page.setCookie(cookie);
  await page.goto(`${site}${path}`);
  await page.evaluate('globalThis.notReloaded = true');
  return page;
}

const mainOf = (page: Page) =>
  page.$eval('main', ({ textContent }) => (textContent ?? '').replace(/\s+/g, ' '));
const seen = (page: Page, words: string) =>
  eventually(async () => {
    const text = await mainOf(page).catch(() => '');
    return text.includes(words) && text;
  });

/** Waits out the moment after a page's buttons changed, when clicks are ignored. */
const settle = () => sleep(900);

/** Presses Tab until that control has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`the Tab key does not lead to ${selector}: ${await mainOf(page)}`);
}

/** Ticks a box or chooses an option with only the keyboard. */
async function tickAt(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press('Space');
}

async function send(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

describe('in two browsers', () => {
  const answerButton = 'form[aria-label="Your answers"] .button.main';

  test('is answered by keyboard for oneself and a child, clashes, is settled, approved and exported', async () => {
    const path = `/d/${await start()}`;
    const [adas, bens] = await Promise.all([open(browser, ada, path), open(browser, ben, path)]);
    expect(await mainOf(bens)).toContain('0 of 3');
    await bens.type('#q3-words', 'Bread');

    // The arrow keys choose between a time's two answers; Space ticks.
    await tickAt(adas, '[name="q1-0"]');
    await tabTo(adas, '[name="q1-1"]');
    await adas.keyboard.press('ArrowDown');
    await tickAt(adas, '[name="q2"]');
    await tickAt(adas, '#firm-2-on');
    await tabTo(adas, '#q3-words');
    await adas.keyboard.type('Wine');
    await send(adas, answerButton);
    expect(await mainOf(adas)).toContain('2 of 3 answered');
    await adas.evaluate('globalThis.notReloaded = true');

    // Ben's page updates while he types, keeps his text, and still hides Ada's answers.
    const counted = await seen(bens, '2 of 3 answered');
    expect(counted).not.toContain('Wine');
    expect(await bens.$eval('#q3-words', (field) => (field as unknown as { value: string }).value)).toBe(
      'Bread',
    );
    await tickAt(bens, '[name="q1-0"]');
    await tabTo(bens, '[name="q2"]');
    await bens.keyboard.press('ArrowDown');
    await tickAt(bens, '#firm-2-on');
    expect(await bens.evaluate('globalThis.notReloaded')).toBe(true);
    await send(bens, answerButton);

    await seen(adas, 'you need to choose');
    for (const page of [bens, adas]) {
      await seen(page, 'Conflicting must-haves');
      await settle();
      await send(page, '.side button[value="1"]');
    }
    const proposal = await seen(bens, 'Proposal');
    for (const words of ['Soup', 'Wed, 3 May 2090, 17:00 (18:00 Zurich time)', 'Wine', 'Bread'])
      expect(proposal).toContain(words);

    // No app can tap for the child; here the guardian's answer counts for both.
    const tapped = await app.request(
      'POST',
      `/v0/decisions/${path.slice(3)}/approve`,
      { decision: 'approved', version: 1, for: kit },
      { 'svc-acting-for': adaId },
    );
    expect([tapped.status, tapped.body.error]).toEqual([403, expect.stringContaining(`${site}${path}`)]);
    await seen(adas, 'Proposal');
    await send(adas, 'button[value="approve"]');
    await settle();
    await send(bens, 'button[value="approve"]');
    await seen(adas, 'Agreed');
    const calendar = await bens.evaluate(`fetch('${path}/calendar.ics').then((answer) => answer.text())`);
    expect(calendar).toContain('DTSTART:20900503T160000Z');
    expect(calendar).toContain(`${site}${path}`);
    await bens.goto(`${site}${path}`);
    expect(await bens.$eval('a[href^="/r/"]', ({ textContent }) => textContent)).toContain('receipt');
  });
});

describe('without scripts', () => {
  const openAnswers = { 'q1-0': 'works', 'q1-1': 'not', q2: '0', q3: '' };

  test('a wrong line in the proposal is reported, corrected by an organizer, and approved', async () => {
    const id = await start();
    const path = `/d/${id}`;
    expect(wordsOf(await ada.open('/requests'))).toMatch(
      /Group decisions and plans \(1\) Dinner <b> The family needs your answer/,
    );
    const asked = await ada.open(path);
    expect(wordsOf(asked)).toContain('You and Kit Quillfeather');
    const none = await ben.send(await ben.open(path), path, {});
    expect([none.status, wordsOf(none)]).toEqual([400, expect.stringContaining('What do you bring?')]);
    const alone = await ada.send(asked, path, {
      ...openAnswers,
      for: kit,
      'firm-1': 'on',
      'note-1': 'Kit sings',
    });
    expect(wordsOf(alone)).toMatch(/Your answers are saved\..*1 of 3/);
    await ada.send(alone, path, { ...openAnswers, for: adaId });
    const proposed = await ben.send(await ben.open(path), path, { ...openAnswers, q2: '1', q3: 'Ice' });
    expect(wordsOf(proposed)).toContain('The proposal is waiting for your approval');

    const short = await ben.post(path, {
      csrf: csrfOf(proposed),
      do: 'change',
      version: '1',
      line: '2',
      note: '',
    });
    expect([short.status, wordsOf(short)]).toEqual([400, expect.stringContaining('Write a note first.')]);
    const changed = await ben.post(path, {
      ...{ csrf: csrfOf(proposed), do: 'change', version: '1' },
      ...{ line: '2', note: 'Not pizza again' },
    });
    expect(wordsOf(changed)).toContain('What do we eat?: Not pizza again');
    const review = await ada.open(path);
    expect(wordsOf(review)).toContain('You decide what happens next');
    const edit = { do: 'edit', q1: '', q2: '1', where: 'At home', keep: '0', summary: '' };
    const second = await ada.post(path, { csrf: csrfOf(review), ...edit });
    expect(wordsOf(second)).toMatch(/Version 2\..*Where: At home/);
    const late = await ben.post(path, { csrf: csrfOf(proposed), do: 'approve', version: '1' });
    expect([late.status, wordsOf(late)]).toEqual([
      400,
      expect.stringContaining('This changed while you had the page open'),
    ]);
    for (const who of [ada, ben])
      await who.post(path, { csrf: csrfOf(await who.open(path)), do: 'approve', version: '2' });
    expect(wordsOf(await ben.open(path))).toMatch(/Agreed.*Soup/);
  });

  test('a late answer is possible during a clash, and a late must clashes too', async () => {
    const path = `/d/${await start()}`;
    const page = await ada.open(path);
    const must = { ...openAnswers, 'firm-2': 'on' };
    await ada.send(page, path, { ...must, for: adaId, q2: '1' });
    const bens = await open(browser, ben, path);
    await bens.type('#q3-words', 'Bread');
    expect(wordsOf(await ada.send(page, path, { ...must, for: kit }))).toContain(
      'Some must-haves conflict, so you need to choose',
    );
    // Text typed before stays in the new form.
    await seen(bens, 'You can still answer.');
    await settle();
    await tickAt(bens, '[name="q1-0"]');
    await tickAt(bens, '[name="q2"]');
    await tickAt(bens, '#firm-2-on');
    await send(bens, 'form[aria-label="Your answers"] .button.main');
    const joined = await mainOf(bens);
    for (const words of [
      'Your answers are saved.',
      '3 of 3',
      'Some must-haves conflict, so you need to choose',
      'Bread',
    ])
      expect(joined).toContain(words);
    for (const who of [ada, ben]) {
      const clash = await who.open(path);
      expect(clash.text).not.toContain('aria-label="Your answers"');
      expect(wordsOf(clash)).not.toContain('chose this');
      await who.post(path, { csrf: csrfOf(clash), do: 'pick', question: '2', pick: '1' });
      // Her answer counts for the child too.
      if (who === ada)
        expect(wordsOf(await ada.open(path))).toMatch(/Choose Soup You and Kit[^.]* chose this\./);
    }
    expect(wordsOf(await ben.open(path))).toMatch(/The proposal is waiting for your approval.*Soup/);
  });

  test('is managed by its starter, hidden from everyone else, and shown after a sign-in', async () => {
    const path = `/d/${await start({ with: ['@ben-bowline'] })}`;
    const page = await ada.open(path);
    const more = await ada.post(path, { csrf: csrfOf(page), do: 'extend', hours: '72' });
    expect(wordsOf(more)).toMatch(/Deadline extended\..*3 days left/);
    const reminded = await ada.post(path, { csrf: csrfOf(page), do: 'remind' });
    expect(wordsOf(reminded)).toContain('We’ll remind them.');
    const again = await ada.post(path, { csrf: csrfOf(page), do: 'remind' });
    expect([again.status, wordsOf(again)]).toEqual([
      400,
      expect.stringContaining('They were reminded recently'),
    ]);
    const notHers = await stranger.open(path);
    const none = await stranger.open('/d/12345');
    expect([notHers.status, none.status, wordsOf(notHers)]).toEqual([404, 404, wordsOf(none)]);
    expect((await webVisitor(site).open(path)).url).toContain(`/in?next=${encodeURIComponent(path)}`);
    const ended = await ada.post(path, { csrf: csrfOf(page), do: 'cancel' });
    expect(wordsOf(ended)).toContain('This decision was cancelled');
    expect((await ada.open(`${path}/calendar.ics`)).status).toBe(404);
  });
});

describe('a plan', () => {
  const propose = async (): Promise<string> => {
    const options = [
      { starts_at: '2090-05-03T18:00', ends_at: '2090-05-03T20:00', label: 'late' },
      { starts_at: '2090-05-04T18:00' },
    ];
    return (await as(adaId, 'POST', '/v0/plans', { title: 'Rehearsal <b>', group, options })).id;
  };

  test('is answered, extended, chosen after a clash, and settled, and an open page shows it', async () => {
    const path = `/p/${await propose()}`;
    expect(wordsOf(await ben.open('/requests'))).toContain(
      'Rehearsal <b> The family needs the times that work for you',
    );
    const bens = await open(browser, ben, path);
    const said = await ada.send(await ada.open(path), path, {
      o1: 'approve',
      o2: 'not',
      'note-1': 'Kit sings',
    });
    expect(wordsOf(said)).toMatch(/Your answers are saved\..*2 of 3 answered/);
    expect(await seen(bens, '2 of 3 answered')).toContain('Kit sings');
    await tabTo(bens, '[name="o1"]');
    // A time's third answer approves it; the second refuses it.
    await bens.keyboard.press('ArrowDown');
    await tickAt(bens, '[name="o2"]');
    expect(await bens.evaluate('globalThis.notReloaded')).toBe(true);
    await send(bens, 'form[aria-label="Your answers"] .button.main');
    expect(await mainOf(bens)).toContain('No time works for everyone. Choose one.');

    const page = await ada.open(path);
    const wrong = await ada.post(path, { csrf: csrfOf(page), do: 'add', starts_at: 'soon' });
    expect([wrong.status, wordsOf(wrong)]).toEqual([400, expect.stringContaining('There’s a problem')]);
    const later = { starts_at: '2090-05-05T18:00', label: 'early' };
    const added = await ada.post(path, { csrf: csrfOf(page), do: 'add', ...later });
    expect(wordsOf(added)).toContain('Time added.');
    await ada.send(added, path, { o1: 'not', o2: 'not', o3: 'approve' });
    await seen(bens, 'early');
    await settle();
    await tabTo(bens, '[name="o3"]');
    await bens.keyboard.press('ArrowUp');
    expect(await bens.evaluate('document.activeElement.value')).toBe('approve');
    await send(bens, 'form[aria-label="Your answers"] .button.main');
    const settled = await mainOf(bens);
    for (const words of ['Settled', 'Fri, 5 May 2090, 17:00 to 18:00 (18:00 Zurich time)', 'early'])
      expect(settled).toContain(words);
    const file = await bens.evaluate(`fetch('${path}/calendar.ics').then((answer) => answer.text())`);
    expect(file).toContain(`${site}${path}`);
  });

  test('stays open while it is briefly unavailable', async () => {
    const path = `/p/${await propose()}`;
    const bens = await open(browser, ben, path);
    await bens.setRequestInterception(true);
    let reads = 0;
    bens.on('request', (request) => {
      const isRead = request.method() === 'GET' && request.url().endsWith(path);
      if (isRead) reads += 1;
      void (isRead && reads === 1 ? request.respond({ status: 503, body: 'away' }) : request.continue());
    });
    await ada.send(await ada.open(path), path, { o1: 'approve', o2: 'not' });
    await seen(bens, '2 of 3 answered');
    expect([await bens.evaluate('globalThis.notReloaded'), reads]).toEqual([true, 2]);
  });

  test('holds no connection in a hidden tab, since a browser has six per site for all tabs', async () => {
    const path = `/p/${await propose()}`;
    const first = await open(browser, ben, path);
    const tabs = [first];
    while (tabs.length < 7) tabs.push(await first.browserContext().newPage());
    const began = performance.now();
    for (const tab of tabs) {
      await tab.bringToFront();
      await tab.goto(`${site}${path}`);
      await sleep(200);
    }
    // A request is held for 25 seconds.
    expect(performance.now() - began).toBeLessThan(15_000);
    await first.bringToFront();
    await ada.send(await ada.open(path), path, { o1: 'approve', o2: 'not' });
    await seen(first, '2 of 3 answered');
  });

  test('disappears in a browser whose reader signed out', async () => {
    const path = `/p/${await propose()}`;
    const bens = await home.signIn('ben@example.com');
    const page = await open(browser, bens, path);
    await seen(page, 'Rehearsal');
    await bens.send(await bens.open(path), '/out');
    expect(await seen(page, 'Sign in')).not.toContain('Rehearsal');
  });

  test('is settled by its starter, even on a time that suits nobody if they confirm', async () => {
    const path = `/p/${await propose()}`;
    const none = { o1: 'not', o2: 'not' };
    await ben.send(await ben.open(path), path, none);
    const clash = await ada.send(await ada.open(path), path, none);
    expect(wordsOf(clash)).toContain('No time works for everyone. Choose one.');
    const bens = await ben.send(await ben.open(path), path, { do: 'choose', option: '1' });
    expect(wordsOf(bens).match(/chose this/g)).toHaveLength(1);
    expect(wordsOf(bens)).toContain('You chose this.');
    const chosen = await ada.post(path, { csrf: csrfOf(clash), do: 'choose', option: '2' });
    // Hers and the child's are a majority of three.
    expect(wordsOf(chosen)).toContain('Settled');
    const other = `/p/${await propose()}`;
    await ben.send(await ben.open(other), other, none);
    const page = await ada.send(await ada.open(other), other, none);
    const unsure = await ada.post(other, { csrf: csrfOf(page), do: 'settle', option: '1' });
    expect([unsure.status, wordsOf(unsure)]).toEqual([
      400,
      expect.stringContaining('Tick the box to settle on it anyway'),
    ]);
    const fields = { csrf: csrfOf(page), do: 'settle', option: '1', confirm_refused: 'on' };
    expect(wordsOf(await ada.post(other, fields))).toContain('The plan is settled.');
    expect((await stranger.open(other)).status).toBe(404);
  });

  test('notifies its people of the reason when cancelled', async () => {
    const path = `/p/${await propose()}`;
    const bens = await open(browser, ben, path);
    const reason = 'The <hall> is under water';
    await ada.post(path, { csrf: csrfOf(await ada.open(path)), do: 'cancel', reason });
    expect(await seen(bens, 'This plan was cancelled')).toContain(reason);
    expect(wordsOf(await ben.open(path))).toContain(`This plan was cancelled ${reason} Since`);
  });
});

const csrfOf = ({ text }: WebPage): string => /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';

describe('times for a meeting', () => {
  const day = (days: number) =>
    new Date(performance.timeOrigin + days * 86_400_000).toISOString().slice(0, 10);

  test('are booked by keyboard, moved by the other side, and cancelled', async () => {
    const offer = await as(adaId, 'POST', '/v0/meetings/offers', {
      ...{ title: 'A call <b>', to: ['anyone'], time_zone: 'Europe/Zurich' },
      slots: [{ starts_at: `${day(5)}T10:00` }, { starts_at: `${day(6)}T10:00` }],
    });
    const bens = await open(browser, ben, `/meetings/offers/${offer.id}`);
    expect(await mainOf(bens)).toContain('A call <b>');
    expect(wordsOf(await ada.open('/meetings'))).toMatch(/Open offers A call <b> 2 times free your offer/);
    await tabTo(bens, '[name="slot"]');
    await Promise.all([bens.waitForNavigation(), bens.keyboard.press('Enter')]);
    expect(await mainOf(bens)).toContain('Meeting booked.');
    const path = new URL(bens.url()).pathname;
    await as(adaId, 'POST', `/v0${path}/move`, { starts_at: `${day(7)}T09:00`, reason: 'A train' });
    const listed = /Upcoming A call <b> .*new time proposed with Ada Lovelace/;
    expect(wordsOf(await ben.open('/meetings'))).toMatch(listed);
    expect(wordsOf(await stranger.open('/meetings'))).toContain('No upcoming meetings.');
    const page = await ben.open(path);
    expect(wordsOf(page)).toMatch(/New time proposed .*09:00.*A train/);
    const moved = await ben.post(path, { csrf: csrfOf(page), do: 'accept' });
    expect(wordsOf(moved)).toContain('Meeting moved.');
    const wrong = await ben.post(path, { csrf: csrfOf(page), do: 'move', starts_at: 'soon' });
    expect([wrong.status, wordsOf(wrong)]).toEqual([400, expect.stringContaining('There’s a problem')]);
    const off = await ben.post(path, { csrf: csrfOf(page), do: 'cancel', cancel_reason: 'Ill' });
    expect(wordsOf(off)).toMatch(/Meeting cancelled\..*This meeting was cancelled Ill/);
    expect((await stranger.open(path)).status).toBe(404);
    expect(wordsOf(await ben.open('/meetings'))).toMatch(
      /No upcoming meetings.*Past and cancelled A call <b> .*cancelled/,
    );
  });

  test('are withdrawn by keyboard by whoever offered them, and by nobody else', async () => {
    const offer = await as(adaId, 'POST', '/v0/meetings/offers', {
      ...{ title: 'A walk <b>', to: ['anyone'], time_zone: 'Europe/Zurich' },
      slots: [{ starts_at: `${day(5)}T15:00` }, { starts_at: `${day(6)}T15:00` }],
    });
    const path = `/meetings/offers/${offer.id}`;
    const seenByBen = await ben.open(path);
    expect(wordsOf(seenByBen)).not.toContain('Withdraw offer');
    const refused = await ben.post(path, { csrf: csrfOf(seenByBen), do: 'withdraw' });
    expect([refused.status, wordsOf(refused)]).toEqual([
      400,
      expect.stringContaining('You don’t have permission to do this.'),
    ]);
    const adas = await open(browser, ada, path);
    await tabTo(adas, '#act-withdraw summary');
    await adas.keyboard.press('Enter');
    await settle();
    await send(adas, '#act-withdraw .button.danger');
    const after = await mainOf(adas);
    for (const words of ['Offer withdrawn.', 'This offer was withdrawn']) expect(after).toContain(words);
    expect(after).not.toContain('Withdraw offer');
    expect(wordsOf(await ben.open('/meetings'))).not.toContain('A walk <b>');
  });
});

test('times are shown with the name of their time zone', async () => {
  const group_id = `&${group.replace(/^&/, '')}`;
  const times = { options: [{ starts_at: '2090-05-03T18:00', ends_at: '2090-05-03T20:00' }] };
  const plan = await as(adaId, 'POST', '/v0/plans', { title: 'Zones', group: group_id, ...times });
  const offer = await as(adaId, 'POST', '/v0/meetings/offers', {
    ...{ title: 'Zones', to: ['anyone'], time_zone: 'Europe/Zurich' },
    slots: [{ starts_at: new Date(performance.timeOrigin + 432_000_000).toISOString() }],
  });
  const meeting = await home.api(ben.cookie('hearth_session')!).post('/v0/meetings', {
    ...{ offer: offer.id, slot: offer.slots[0].starts_at },
  });
  expect(meeting.status).toBe(201);
  const decision = await start();
  const pages = [`/d/${decision}`, `/p/${plan.id}`, `/meetings/offers/${offer.id}`, '/meetings'];
  for (const path of [...pages, `/meetings/${meeting.body.id}`]) {
    const { text } = await ada.open(path);
    const times = text.match(
      /<time datetime="[^"]*T[^"]*">.*?<\/time>(?: to <time[^>]*>.*?<\/time>)?(.{0,80})/gs,
    );
    expect(times?.length).toBeGreaterThan(0);
    for (const time of times ?? [])
      expect(time).toMatch(
        /\d\d:\d\d<\/time>(?: <span class="zone">\([^<()]*\d\d:\d\d Zurich time\)<\/span>|(?! ?<span class="zone">))/,
      );
    expect(text).not.toMatch(/\d\d:\d\d (?:in|at|GMT|BST|UTC|CES?T)\b/);
  }
  expect(wordsOf(await ada.open(`/p/${plan.id}`))).toMatch(
    /Wed, 3 May 2090, 17:00 to 19:00 \(18:00 Zurich time\)/,
  );
});

test("agreements of the person's AIs are listed, and wait for the person's approval", async () => {
  const { ai: helper } = await as(adaId, 'POST', '/v0/ais', {
    name: 'Helper',
    permissions: ['read', 'message'],
  });
  const other = await home.api().post('/v0/agents', { name: 'Wren <i>' });
  const asked = {
    title: 'The minutes <b>',
    terms: 'Wren writes them.',
    with: [other.body.address],
    needs_owners: true,
  };
  const { id } = await as(helper.id, 'POST', '/v0/agreements', asked);
  const listed = await eventually(async () => {
    const page = await ada.open('/agreements');
    return wordsOf(page).includes('needs your approval') && page;
  });
  expect(wordsOf(listed)).toMatch(/The minutes <b> needs your approval with Wren <i>/);
  expect(listed.text).toContain(`href="/agreements/${id}"`);
  expect(wordsOf(await stranger.open('/agreements'))).toContain('Your AIs have no agreements yet.');
  expect((await ada.open('/agreements?older=x')).status).toBe(400);
});
