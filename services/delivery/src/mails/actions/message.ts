import type { SendMailOptions } from 'nodemailer';
import type { Message } from './transport.ts';

/** A mail for nodemailer. Addresses are given as objects, which are never taken apart, and the envelope beside the headers. */
export function optionsOf({
  from,
  to,
  subject,
  text,
  html,
  date,
  messageId,
  stop,
  calendar,
}: Message): SendMailOptions {
  return {
    from: { name: '', address: from },
    to: { name: '', address: to },
    envelope: { from, to },
    subject,
    text,
    ...(html === '' ? {} : { html }),
    // RFC 6047: as a part of the text, of which a calendar takes the method.
    ...(calendar !== undefined && {
      icalEvent: { method: calendar.method, filename: 'meeting.ics', content: calendar.file },
    }),
    date,
    messageId,
    headers: {
      // RFC 3834: no automatic answer to this.
      'Auto-Submitted': 'auto-generated',
      // RFC 8058: one click in the mail program.
      ...(stop !== undefined && {
        'List-Unsubscribe': `<${stop}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
