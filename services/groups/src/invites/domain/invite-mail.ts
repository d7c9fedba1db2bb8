import { withoutLinks } from '@hearth/addresses';
import { momentIn } from '@hearth/calendar';
import { type Language, t, wordMail } from '@hearth/i18n';
import type { Announcement } from '@hearth/outbox';

export interface InvitedByMail {
  home: string;
  inviter: string;
  group: string;
  link: string;
  reusable: boolean;
  expiresAt: Date;
  /** The group's time zone, because the reader's is unknown. */
  timeZone: string;
}

const longestName = 60;

/** Mails are retried for about nine hours. */
const keptMs = 12 * 3_600_000;

/** When to delete the address and code of an invite mailed now. */
export const mailDeletesAt = (now: Date): Date => new Date(now.getTime() + keptMs);

/** @param id uuid of an invite that waits to be mailed */
export const mailDue = (id: string): Announcement => ({
  data: { case: 'sendDue', value: { kind: 'invite_mail', id } },
});

/** The email to an invited person: plain text whose only link leads to the home. */
export function inviteMail(
  { home, link, reusable, expiresAt, timeZone, ...names }: InvitedByMail,
  language: Language,
) {
  const inviter = withoutLinks(names.inviter, longestName);
  const group = withoutLinks(names.group, longestName);
  return wordMail(language, t('mails.invite-subject', { inviter, group }), [
    t('mails.invite', { inviter, group, home }),
    [t('mails.invite-join'), link],
    t('mails.invite-until', { reusable: reusable ? 'yes' : 'other', until: momentIn(expiresAt, timeZone) }),
    t('mails.invite-unknown', { inviter }),
  ]);
}
