import { quoted, withoutLinks } from '@hearth/addresses';
import { type Language, t, wordMail } from '@hearth/i18n';
import type { AccountMailKind } from '../../shared/db/account-mails.ts';

interface About {
  what: AccountMailKind;
  /** The app's name, or the day of deletion in words; on a second line, the operator's reason. */
  detail: string;
  home: string;
  siteUrl: string;
}

const longestName = 60;

/** The mail about a change of an account. Plain text, in which an app's name never becomes a link. */
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
