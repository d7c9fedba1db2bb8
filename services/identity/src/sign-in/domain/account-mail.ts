import { quoted, withoutLinks } from '@hearth/addresses';
import { dayIn } from '@hearth/calendar';
import { type Language, t, wordMail } from '@hearth/i18n';
import type { AccountMailKind } from '../../shared/db/account-mails.ts';

interface About {
  what: AccountMailKind;
  /** The app's name; on a second line, the operator's reason. */
  detail: string;
  deletesAt: Date | null;
  timeZone: string;
  home: string;
  siteUrl: string;
}

const longestName = 60;

/** The mail about a change of an account. Plain text, in which an app's name never becomes a link. */
export function accountMail(
  { what, home, siteUrl, deletesAt, timeZone, ...about }: About,
  language: Language,
): { subject: string; text: string } {
  const [named = '', reason = ''] = about.detail.split('\n');
  const detail = deletesAt === null ? withoutLinks(named, longestName) : dayIn(deletesAt, timeZone);
  const values = { home, detail };
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
