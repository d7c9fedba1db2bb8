const longest = 254;
const longestLocal = 64;
/** The part before the @: anything but white space, quotes and list separators. */
const localPart = /^[^\s@"(),:;<>[\]\\\p{Cc}]+$/u;
const domainPart = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Full-width letters are the same letters typed in another keyboard mode (RFC 8264, 5.2.1). */
const fullWidth = /[\uff01-\uff5e]/g;
const plainWidth = (text: string) =>
  text.replace(fullWidth, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0));

/**
 * Normalizes an email address for storage: lower case, one normal form, the domain in A-labels; null if it is not one.
 */
export function parseEmail(given: string): string | null {
  const text = plainWidth(given.replace(/\p{Cf}/gu, ''))
    .trim()
    .normalize('NFC')
    .toLowerCase();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at));
  const domain = toAscii(text.slice(at + 1));
  if (!localPart.test(local) || local.length > longestLocal || !domainPart.test(domain)) return null;
  const email = `${local}@${domain}`;
  return email.length > longest ? null : email;
}

function toAscii(domain: string): string {
  if (domain === '' || /[/?#:@\\%]/.test(domain)) return '';
  return URL.parse(`http://${domain}`)?.hostname ?? '';
}
