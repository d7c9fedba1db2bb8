import { quoted } from '@hearth/addresses';
import { type Language, t, wordMail } from '@hearth/i18n';

/** The content of an e-mail. */
export interface NoticeMail {
  title: string;
  /** As others wrote it; empty for none. */
  body: string;
  /** The shortened name of a person under 18 that it is about; empty for none. */
  about: string;
  kind: string;
  /** An address of the home's own site. */
  link: string;
  siteUrl: string;
  home: string;
}

/** Kinds of requests that the person's own rules can keep away. */
const ruled: readonly string[] = ['approval', 'invite', 'message'];

/** The e-mail that notifies a person of what needs them, and where to see it. */
export function noticeMail(mail: NoticeMail, language: Language): { subject: string; text: string } {
  const { title, body, about, kind, link, siteUrl, home } = mail;
  return wordMail(language, title, [
    [
      `${title}${/[.!?]$/.test(title) ? '' : '.'}`,
      ...(about === '' ? [] : [t('mails.notice-child', { name: about })]),
    ],
    ...(body === '' ? [] : [quoted(body)]),
    [t('mails.notice-see'), link],
    [...(body === '' ? [] : [t('mails.notice-quoted', { home })]), t('mails.notice-again')],
    ...(ruled.includes(kind) ? [[t('mails.notice-rules'), `${siteUrl}/rules`]] : []),
  ]);
}
