import { createLanguage, english, instant, t } from '@hearth/i18n';
import { expect, test } from '@jest/globals';
import { noticeWords } from './notice-words.ts';
import { wordingOf } from './wording.ts';

const german = createLanguage(
  'de',
  {
    'notices.account-suspended': 'Dein Konto ist bis {until} gesperrt',
    'notices.suspension-over': 'Vorbei.',
  },
  english,
);
const until = instant(new Date('2026-05-01T23:00:00Z'));
const title = t('notices.account-suspended', { whom: 'you', name: '', until });
const written = { title: 'Suspended', body: 'Spam' };

test('a notice is in its reader’s language, with the day in their time zone', () => {
  const notice = { ...written, wording: wordingOf({ title, body: t('notices.suspension-over') }) };
  expect(noticeWords(notice, german, 'Europe/Zurich')).toEqual({
    title: 'Dein Konto ist bis Sa., 2. Mai 2026 gesperrt',
    body: 'Vorbei.',
  });
  expect(noticeWords(notice, english, '')).toEqual({
    title: 'Your account is suspended until Fri, 1 May 2026',
    body: 'The suspension is over.',
  });
});

test('a text without a known message, or with outdated values, stays as written', () => {
  expect(noticeWords({ ...written, wording: null }, german, 'UTC')).toEqual(written);
  const gone = { title: { key: 'notices.gone', values: {} } };
  expect(noticeWords({ ...written, wording: gone }, german, 'UTC')).toEqual(written);
});
