import { quoted } from '@hearth/addresses';
import { type Language, t, wordMail } from '@hearth/i18n';

/** The content of an email. */
export interface NoticeMail {
  title: string;
  /** Written by others; empty if there is none. */
  body: string;
  /** The shortened name of the person under 18 that it is about; empty if there is none. */
  about: string;
  kind: string;
  /** A link to this home's site. */
  link: string;
  siteUrl: string;
  home: string;
}

/** Kinds of requests that the recipient's contact rules can block. */
const ruled: readonly string[] = ['approval', 'invite', 'message'];

/** Returns the mail that notifies a person, with a link to the page. */
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
