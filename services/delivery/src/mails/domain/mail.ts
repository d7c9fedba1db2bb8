import { cleanLine, cleanText, shorten } from '@hearth/addresses';
import { badField } from '@hearth/errors';

/** A mail as it is asked for. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Empty for none. */
  html: string;
  /** Its purpose: sign_in_code, invite, approval. */
  kind: string;
}

/** A mail as it goes out. */
export interface ComposedMail extends Mail {
  /** BCP 47; the language of its text. */
  language: string;
  /** The subject of a report by its recipient: an ask, or an address; empty for nothing. */
  reportable: string;
  /** A calendar file (RFC 5545) beside the text, with its METHOD. */
  calendar?: { method: string; file: string };
  /** The page on which its recipient stops such mails; none of a mail that was asked for. */
  stop?: string;
}

const maxAddress = 254;
const maxSubject = 200;
const maxBytes = 262_144;

/** One address and nothing beside it: no name, list, comment, quoted part, or anything that a header takes as its end. */
const address =
  /^[^\s@"(),:;<>[\]\\\p{C}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;

/**
 * The mail as it is sent: a subject of one line, texts without control characters.
 * Throws bad_request for what is no address, an empty mail, one above 256 KiB, and a kind that is no word.
 */
export function readMail({ to, subject, text, html, kind }: Mail): Mail {
  if (to.length > maxAddress || !address.test(to)) throw badField('to', 'expected one e-mail address');
  if (!/^[a-z][a-z_]{0,39}$/.test(kind)) throw badField('kind', 'expected a word such as sign_in_code');
  const line = shorten(cleanLine(subject), maxSubject);
  if (line === '') throw badField('subject', 'expected some words');
  if (text.trim() === '') throw badField('text', 'expected some words');
  if (Buffer.byteLength(text) + Buffer.byteLength(html) > maxBytes)
    throw badField('text', `text and html together are larger than ${maxBytes} bytes`);
  return { to, subject: line, text: cleanText(text), html: cleanText(html), kind };
}

/** Where the home's mail comes from: its name without a port. */
export function senderOf(home: string): string {
  return `hearth@${home.replace(/:\d+$/, '')}`;
}
