import { shorten } from '@hearth/addresses';

export interface InvitedByMail {
  home: string;
  inviter: string;
  group: string;
  link: string;
  reusable: boolean;
  expiresAt: Date;
}

const longestName = 60;

/** The e-mail to an invited person: plain text, in which only the link of the home can be opened. */
export function inviteMail({ home, inviter, group, link, reusable, expiresAt }: InvitedByMail) {
  const who = plain(inviter);
  const where = plain(group);
  const until = expiresAt.toISOString().slice(0, 10);
  const uses = reusable ? 'The link works' : 'The link works once,';
  return {
    subject: `${who} invites you to ${where}`,
    text: [
      `${who} invites you to the group "${where}" on ${home}.`,
      `Open this link to join:\n${link}`,
      `${uses} until ${until} (UTC). Keep it to yourself: whoever has it can use it.`,
      'You do not know who this is? Then do nothing: without the link nobody joins in your name.',
    ].join('\n\n'),
  };
}

/** A name that mail programs make no link of. */
function plain(name: string): string {
  return shorten(
    name
      .replace(/[:/\\@]|\.(?=\S)/gu, ' ')
      .replace(/\s+/gu, ' ')
      .trim(),
    longestName,
  );
}
