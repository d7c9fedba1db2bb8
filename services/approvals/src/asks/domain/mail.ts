import { quoted } from '@hearth/addresses';
import { momentIn } from '@hearth/calendar';
import { type Language, t, wordMail } from '@hearth/i18n';

/** The content of an email about an ask. */
export interface MailedAsk {
  title: string;
  details: string | null;
  from_name: string;
  from: string;
  name_verified: boolean;
  group: string | null;
  expires_at: Date;
  /** The home's time zone, since the reader's is unknown. */
  time_zone: string;
  link: string;
  home: string;
  reminder: boolean;
}

const longestQuote = 1_000;

/** The mail to a recipient by email. Text by others is quoted. */
export function askMail(ask: MailedAsk, language: Language): { subject: string; text: string } {
  const { title, details, from_name: name, group, link, home } = ask;
  const from = ask.from === '' ? name : `${name} (${ask.from})`;
  const subject = t('mails.ask-subject', { name, title, reminder: ask.reminder ? 'yes' : 'other' });
  return wordMail(language, subject, [
    [
      group === null ? t('mails.ask', { from }) : t('mails.ask-in-group', { from, group }),
      ...(ask.name_verified ? [] : [t('mails.ask-unverified')]),
    ],
    quoted(title),
    ...(details === null ? [] : [quoted([...details].slice(0, longestQuote).join(''))]),
    [t('mails.ask-answer'), link],
    [
      t('mails.ask-until', { until: momentIn(ask.expires_at, ask.time_zone) }),
      t('mails.ask-quoted', { name, home }),
    ],
  ]);
}
