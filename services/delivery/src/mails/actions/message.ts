import type { SendMailOptions } from 'nodemailer';
import type { Message } from './transport.ts';

/**
 * Converts a mail to nodemailer's options. Addresses are objects, which nodemailer never parses, and the
 * envelope is separate from the headers.
 */
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
    // RFC 6047: as an alternative of the text, from which a calendar reads the method.
    ...(calendar !== undefined && {
      icalEvent: { method: calendar.method, filename: 'meeting.ics', content: calendar.file },
    }),
    date,
    messageId,
    headers: {
      // RFC 3834: asks for no automatic replies.
      'Auto-Submitted': 'auto-generated',
      // RFC 8058: one-click unsubscribe in the mail program.
      ...(stop !== undefined && {
        'List-Unsubscribe': `<${stop}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
