import { cleanLine, cleanText, shorten } from '@hearth/addresses';
import { badField } from '@hearth/errors';

/** A mail as requested. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Empty if there is no HTML part. */
  html: string;
  /** Its purpose: sign_in_code, invite, approval. */
  kind: string;
}

/** A mail ready to be sent. */
export interface ComposedMail extends Mail {
  /** BCP 47 language of the text. */
  language: string;
  /** The ask or address that the recipient can report; empty if there is none. */
  reportable: string;
  /** A calendar file (RFC 5545) next to the text, with its METHOD. */
  calendar?: { method: string; file: string };
  /** The unsubscribe page; absent for a mail that the recipient asked for. */
  stop?: string;
}

const maxAddress = 254;
const maxSubject = 200;
const maxBytes = 262_144;

/** A bare address: no name, list, comment or quoted part, and nothing that could end a header. */
const address =
  /^[^\s@"(),:;<>[\]\\\p{C}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;

/**
 * Returns the mail with a one-line subject and texts without control characters.
 *
 * @throws bad_request for a malformed address, an empty mail, one above 256 KiB, or a malformed kind
 */
export function readMail({ to, subject, text, html, kind }: Mail): Mail {
  if (to.length > maxAddress || !address.test(to)) throw badField('to', 'expected one email address');
  if (!/^[a-z][a-z_]{0,39}$/.test(kind)) throw badField('kind', 'expected a word such as sign_in_code');
  const line = shorten(cleanLine(subject), maxSubject);
  if (line === '') throw badField('subject', 'expected some words');
  if (text.trim() === '') throw badField('text', 'expected some words');
  if (Buffer.byteLength(text) + Buffer.byteLength(html) > maxBytes)
    throw badField('text', `text and html together are larger than ${maxBytes} bytes`);
  return { to, subject: line, text: cleanText(text), html: cleanText(html), kind };
}

/** Returns the sender of the home's mail: its name without a port. */
export function senderOf(home: string): string {
  return `hearth@${home.replace(/:\d+$/, '')}`;
}
