import { quoted } from '@hearth/addresses';

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

/** The e-mail that notifies a person of what needs them, and where to see it. */
export function noticeMail(mail: NoticeMail): { subject: string; text: string } {
  const { title, body, about, kind, link, siteUrl, home } = mail;
  const lines = [
    `${title}${/[.!?]$/.test(title) ? '' : '.'}`,
    ...(about === '' ? [] : [`It is about ${about}, who is under 18.`]),
    ...(body === '' ? [] : ['', quoted(body)]),
    '',
    'Sign in and see it here:',
    link,
    '',
    ...(body === '' ? [] : [`What stands behind ">" was written by others, not by ${home}.`]),
    `${home} writes of the same thing once in twelve hours at most.`,
    ...(kind === 'approval' || kind === 'message' || kind === 'invite'
      ? ['Who may reach you, and with what, is yours to say:', `${siteUrl}/rules`]
      : []),
  ];
  return { subject: title, text: `${lines.join('\n')}\n` };
}
