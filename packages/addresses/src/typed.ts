const decimalDigit = /\p{Nd}/u;
const foreignDigits = /(?![0-9])\p{Nd}/gu;
const invisible = /\p{Cf}|\p{Variation_Selector}/gu;

/**
 * Normalizes a short typed text: letters and digits of one width, digits of every script as 0 to 9, no invisible
 * characters, trimmed. For codes, names and numbers; never for text that people read.
 */
export function asTyped(text: string): string {
  return text
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(foreignDigits, (digit) => String(digitOf(digit.codePointAt(0)!)))
    .trim();
}

/** The digits of a script are consecutive in Unicode, from 0 to 9. */
function digitOf(point: number): number {
  let first = point;
  while (point - first < 9 && decimalDigit.test(String.fromCodePoint(first - 1))) first -= 1;
  return point - first;
}

/** Normalizes a home's name as people write or paste it: after `https://` or an @, in capitals, in its own script. */
export function asHomeName(text: string): string {
  const name = asTyped(text)
    .toLowerCase()
    .replace(/^(?:https?:\/\/|@)/, '')
    .replace(/\.?\/?$/, '');
  if (/^[\x21-\x7e]*$/.test(name) || /[/?#:\\%@]/.test(name)) return name;
  return URL.parse(`http://${name}`)?.hostname ?? name;
}

const longestReference = 400;
const ordinary = /^[\x21-\x7e]*$/;

/**
 * Normalizes an id or address as people paste it: with white space around it, in full-width letters, with the home's
 * name in its own script. Any other text is unchanged.
 */
export function asReference(text: string): string {
  if (ordinary.test(text) || text.length > longestReference) return text;
  const typed = asTyped(text);
  const at = typed.lastIndexOf('@');
  if (at >= 1) return `${typed.slice(0, at + 1)}${asHomeName(typed.slice(at + 1))}`;
  return /^(?:[@&]|[a-z]{2,3}_[0-9a-f]{32}$|r:)/i.test(typed) ? typed : text;
}
