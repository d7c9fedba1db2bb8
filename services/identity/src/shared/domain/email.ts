import { badField } from '@hearth/errors';

const longest = 254;
const longestLocal = 64;
/** The part before the @: anything but white space, quotes, and signs that set addresses apart in a list. */
const localPart = /^[^\s@"(),:;<>[\]\\\p{Cc}]+$/u;
const domainPart = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * An e-mail address as it is kept: trimmed, in one normal form, in small letters, its domain in A-labels.
 *
 * @throws bad_field for what is none
 */
export function readEmail(given: string, field = 'email'): string {
  const text = given.trim().normalize('NFC').toLowerCase();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at));
  const domain = toAscii(text.slice(at + 1));
  if (!localPart.test(local) || local.length > longestLocal || !domainPart.test(domain)) throw wrong(field);
  const email = `${local}@${domain}`;
  if (email.length > longest) throw wrong(field);
  return email;
}

function toAscii(domain: string): string {
  if (domain === '' || /[/?#:@\\%]/.test(domain)) return '';
  return URL.parse(`http://${domain}`)?.hostname ?? '';
}

function wrong(field: string) {
  return badField(field, 'must be an e-mail address such as ada@example.com');
}
