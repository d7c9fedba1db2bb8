import { quoted, withoutLinks } from '@hearth/addresses';
import { type Language, t, wordMail } from '@hearth/i18n';
import type { AccountMailKind } from '../../shared/db/account-mails.ts';

interface About {
  what: AccountMailKind;
  /** The name of the app, or the day on which the account goes, in words; on a line below, why the operator deletes it. */
  detail: string;
  home: string;
  siteUrl: string;
}

const longestName = 60;

/** Tells a person what happened to their account: plain text, in which no name of an app is a link. */
export function accountMail(
  { what, home, siteUrl, ...about }: About,
  language: Language,
): { subject: string; text: string } {
  const [named = '', reason = ''] = about.detail.split('\n');
  const values = { home, detail: withoutLinks(named, longestName) };
  const page = `${siteUrl}/me`;
  const next =
    reason === ''
      ? [t('mails.account-yours'), [t('mails.account-not-yours'), page]]
      : [[t('mails.account-operator', { home }), quoted(reason)], page];
  return wordMail(language, t(`mails.account-${what}-subject`, values), [
    t(`mails.account-${what}`, values),
    ...next,
    t('mails.account-why', { home }),
  ]);
}
