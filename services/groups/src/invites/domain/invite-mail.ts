import { withoutLinks } from '@hearth/addresses';
import { momentWords } from '@hearth/calendar';
import type { Announcement } from '@hearth/outbox';

export interface InvitedByMail {
  home: string;
  inviter: string;
  group: string;
  link: string;
  reusable: boolean;
  expiresAt: Date;
  /** The group's, for the reader's is not known. */
  timeZone: string;
}

const longestName = 60;

/** A mail is tried for about nine hours. */
const keptMs = 12 * 3_600_000;

/** When the address and the code of an invite that is mailed from now on are deleted. */
export const mailDeletesAt = (now: Date): Date => new Date(now.getTime() + keptMs);

/** @param id uuid of an invite that waited to be mailed */
export const mailDue = (id: string): Announcement => ({
  data: { case: 'sendDue', value: { kind: 'invite_mail', id } },
});

/** The e-mail to an invited person: plain text, in which only the link of the home can be opened. */
export function inviteMail({ home, inviter, group, link, reusable, expiresAt, timeZone }: InvitedByMail) {
  const who = withoutLinks(inviter, longestName);
  const where = withoutLinks(group, longestName);
  const uses = reusable ? 'The link works' : 'The link works once,';
  return {
    subject: `${who} invites you to ${where}`,
    text: [
      `${who} invites you to the group "${where}" on ${home}.`,
      `Open this link to join:\n${link}`,
      `${uses} until ${momentWords(expiresAt, timeZone)}. Keep it to yourself: whoever has it can use it.`,
      'You do not know who this is? Then do nothing: without the link nobody joins in your name.',
    ].join('\n\n'),
  };
}
