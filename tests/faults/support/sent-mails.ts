import { mailText, type SmtpSink } from '@hearth/testkit/smtp-sink';

export interface SentMail {
  to: string;
  /** Its Message-ID, by which a mailbox deduplicates. */
  id: string;
  text: string;
}

/** The mails that a server accepted, in order. */
export function sentMails({ mails }: Pick<SmtpSink, 'mails'>): SentMail[] {
  return mails.map(({ to, data }) => ({
    to: to.join(),
    id: /^message-id: *(\S+)/im.exec(data)?.[1] ?? '',
    text: mailText(data),
  }));
}
