import { join } from 'node:path';
import { eventually } from '@hearth/testkit';
import { signInByEmail, type WebPage, webVisitor, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWholeHome } from './support/whole-home.ts';

/* A home with German by file (in part): Ada reads German by her account, Ben English, and visitors what their browsers ask for. */

const home = await startWholeHome({
  env: { HEARTH_CATALOGUES: join(import.meta.dirname, 'support', 'catalogues') },
});
const { site } = home;
const [ada, ben] = await Promise.all([
  home.signIn('ada@example.com', { name: 'Ada Lovelace' }),
  home.signIn('ben@example.com', { name: 'Ben Bowline' }),
]);

afterAll(() => home.stop());

const htmlOf = ({ text }: WebPage) => /<html [^>]*>/.exec(text)?.[0];

/** The last mail to an address whose text has these words. */
const mailTo = async (email: string, words: string) =>
  await eventually(
    () => {
      const mails = home.lines
        .filter((line) => line.includes(`"to":"${email}"`))
        .map((line) => JSON.parse(line) as { subject: string; text: string });
      return mails.findLast(({ text, subject }) => `${subject}\n${text}`.includes(words));
    },
    (mail) => mail !== undefined,
  );

describe('a browser that asks for German', () => {
  const visitor = webVisitor(site, [site], { 'accept-language': 'de-AT, en;q=0.5' });

  test('is answered in German', async () => {
    const page = await visitor.open('/in');
    expect([htmlOf(page), wordsOf(page)]).toEqual([
      expect.stringContaining('lang="de" dir="ltr"'),
      expect.stringContaining('Bei localhost'),
    ]);
    const english = await webVisitor(site, [site], { 'accept-language': 'pl, en-US;q=0.5' }).open('/in');
    expect([htmlOf(english), wordsOf(english)]).toEqual([
      expect.stringContaining('lang="en-GB" dir="ltr"'),
      expect.stringContaining('Sign in to'),
    ]);
  });

  test('creates an account in German', async () => {
    await signInByEmail(visitor, home.lines, 'cleo@example.com', { name: 'Cleo' });
    const { body } = await home.api(visitor.cookie('hearth_session')!).get('/v0/people/me');
    expect(body.language).toBe('de');
    expect(await mailTo('cleo@example.com', 'Ihr Code')).toBeDefined();
  });
});

describe('an account whose language is German', () => {
  beforeAll(async () => {
    const page = await ada.open('/me');
    expect([htmlOf(page), page.text]).toEqual([
      expect.stringContaining('lang="en-GB"'),
      expect.stringContaining('<option value="de" lang="de">Deutsch</option>'),
    ]);
    const fields = { name: 'Ada Lovelace', time_zone: 'Europe/London', language: 'de' };
    const saved = await ada.send(page, '/me', fields);
    expect(htmlOf(saved)).toContain('lang="de" dir="ltr"');
    expect(wordsOf(saved)).toContain('Gespeichert.');
  });

  test('has German pages and dates, and English where a text is missing', async () => {
    const page = await ada.open('/me');
    expect(wordsOf(page)).toMatch(/angemeldet \w\w\., \d{1,2}\. \S+ \d{4}/);
    for (const words of ['Ihr Konto', 'alle 30 Tage', 'How you sign in'])
      expect(wordsOf(page)).toContain(words);
  });

  test('has a German mail with a code', async () => {
    const elsewhere = webVisitor(site, [site], { 'accept-language': 'en' });
    await elsewhere.send(await elsewhere.open('/in'), '/in/email', { email: 'ada@example.com' });
    const code = await mailTo('ada@example.com', 'Ihr Code');
    expect(code).toMatchObject({
      subject: expect.stringMatching(/^\d{3} \d{3} ist Ihr Code für localhost/),
      text: expect.stringContaining('Der Code gilt 10 Minuten.'),
    });
  });

  test('has German calendar files, and the other side has theirs', async () => {
    const day = new Date(performance.timeOrigin + 5 * 86_400_000).toISOString().slice(0, 10);
    const token = ben.cookie('hearth_session')!;
    const offered = await home.api(token).post('/v0/meetings/offers', {
      ...{ title: 'A walk', to: ['anyone'], time_zone: 'Europe/London' },
      slots: [{ starts_at: `${day}T10:00` }],
    });
    const path = `/meetings/offers/${offered.body.id}`;
    const booked = await ada.send(await ada.open(path), path, { slot: offered.body.slots[0].starts_at });
    const { pathname } = new URL(booked.url);
    expect((await ada.open(`${pathname}/calendar.ics`)).text).toContain('Mit Ben Bowline (@ben-bowline)');
    expect((await ben.open(`${pathname}/calendar.ics`)).text).toContain('With Ada Lovelace (@ada-lovelace)');
    const mail = await mailTo('ada@example.com', 'Gebucht: A walk');
    expect(mail!.text).toMatch(
      /„A walk“ mit Ben Bowline ist am \w\w\., \d{1,2}\. \S+ \d{4}, 10:00 \(London\)\./,
    );
    expect(await mailTo('ben@example.com', 'Booked: A walk')).toBeDefined();
  });

  test('has German notices of asks, and accounts in other languages have theirs', async () => {
    for (const [by, to, title] of [
      [ben, '@ada-lovelace', 'Row on Sunday?'],
      [ada, '@ben-bowline', 'Walk on Monday?'],
    ] as const) {
      const asked = await home.api(by.cookie('hearth_session')!).post('/v0/approvals', { title, to: [to] });
      expect(asked.status).toBe(201);
    }
    const { text } = (await mailTo('ada@example.com', 'Row on Sunday?'))!;
    for (const words of ['Melden Sie sich an, um es zu sehen:', 'abbestellen:'])
      expect(text).toContain(words);
    expect((await mailTo('ben@example.com', 'Walk on Monday?'))!.text).toContain('Sign in to see it:');
  });
});
