import { mailText, type SmtpSink } from '@hearth/testkit/smtp-sink';

export interface SentMail {
  to: string;
  /** Its Message-ID: a mailbox that has one already shows the mail once. */
  id: string;
  text: string;
}

/** The mails that a server took, in their order. */
export function sentMails({ mails }: Pick<SmtpSink, 'mails'>): SentMail[] {
  return mails.map(({ to, data }) => ({
    to: to.join(),
    id: /^message-id: *(\S+)/im.exec(data)?.[1] ?? '',
    text: mailText(data),
  }));
}
