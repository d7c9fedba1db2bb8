import type { SendMailOptions } from 'nodemailer';
import type { Message } from './transport.ts';

/** A mail for nodemailer. Addresses are given as objects, which are never taken apart, and the envelope beside the headers. */
export function optionsOf({ from, to, subject, text, html, date, messageId }: Message): SendMailOptions {
  return {
    from: { name: '', address: from },
    to: { name: '', address: to },
    envelope: { from, to },
    subject,
    text,
    ...(html === '' ? {} : { html }),
    date,
    messageId,
    // RFC 3834: no automatic answer to this.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
