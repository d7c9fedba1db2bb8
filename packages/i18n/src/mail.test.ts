import { expect, test } from '@jest/globals';
import { createLanguage } from './language.ts';
import { wordMail } from './mail.ts';
import { t } from './text.ts';

test('a mail is formatted in the language of its reader, paragraph by paragraph', () => {
  const german = createLanguage('de', { 'mails.invite-join': 'Hier beitreten:', 'mails.report': 'Melden:' });
  const link = 'https://home.example/i/1';
  expect(
    wordMail(german, t('mails.report', { home: 'h' }), ['Hallo', [t('mails.invite-join'), link]]),
  ).toEqual({
    subject: 'Melden:',
    text: `Hallo\n\nHier beitreten:\n${link}`,
  });
});
