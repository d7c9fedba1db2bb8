import type { DescField } from '@bufbuild/protobuf';
import { asHomeName, asReference, asTyped, countCharacters } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { FieldKind } from '@hearth/proto/options';
import { type Bounds, mayBeId, rulesOf, type TextRules, textRulesOf } from '../field-rules.ts';
import { cleanLine, cleanLines, hasControlCharacters } from '../text.ts';
import type { ReadValue } from './read-value.ts';
import { rangeWords } from './refuse.ts';

export interface TextReading {
  /** The name of this home, whose ids other homes write as r:<home>:<id>. */
  ownHome?: string | undefined;
  /** True if a local caller may have typed it; other homes write each value in one form. */
  typed: boolean;
}

/** Other readings of a text, tried if the text as given isn't valid for the field. */
type Meanings = (text: string) => readonly string[];

/** Strings: cleaned by their kind, then checked for length and pattern. */
export function textReader(field: DescField, bounds: Bounds, reading: TextReading): ReadValue {
  const rules = textRulesOf(field, bounds);
  const { ownHome, typed } = reading;
  const own = ownHome !== undefined && mayBeId(field) ? `r:${ownHome}:` : null;
  const { id, kind } = rulesOf(field);
  const meant = typed ? meaningOf(field) : same;
  const meanings: Meanings =
    !typed || kind === FieldKind.REQUEST_ID ? () => [] : id.length > 0 ? asPasted : spellings;
  const pattern = rules.pattern === null ? null : new RegExp(`^(?:${rules.pattern})$`, 'u');
  return (given, path) => {
    if (typeof given !== 'string') throw badField(path, 'must be a string');
    if (!given.isWellFormed())
      throw badField(path, 'must be valid Unicode; it holds half of a surrogate pair');
    // Too long even if cleaning removed most of it.
    if (given.length > 4 * rules.maxLength + 1_000) checkLength(given, rules, path);
    const value = withoutHome(meant(given), own);
    const text = clean(value, rules, path);
    if (pattern !== null && !pattern.test(text)) {
      const other = meanings(text).find((spelling) => pattern.test(spelling));
      if (other !== undefined) return other;
    }
    checkLength(text, rules, path);
    if (pattern !== null && !pattern.test(text)) throw badField(path, `must be ${rules.patternWords}`);
    return text;
  };
}

const withoutHome = (text: string, own: string | null) =>
  own !== null && text.startsWith(own) ? text.slice(own.length) : text;

const same = (text: string) => text;

/** Names, addresses and links as people paste them. */
const asMeant: Readonly<Partial<Record<FieldKind, (text: string) => string>>> = {
  [FieldKind.REFERENCE]: asReference,
  [FieldKind.LOCAL_REFERENCE]: asReference,
  [FieldKind.HOME_NAME]: asHomeName,
  [FieldKind.TIME_ZONE]: asTyped,
  // Mail programs break long links.
  [FieldKind.LINK_CODE]: (text) => asTyped(text).replace(/\s/gu, ''),
};

/** Interprets a typed text: a pasted name, address or link. Any other text stays as it is. */
export function meaningOf(field: DescField): (text: string) => string {
  return asMeant[rulesOf(field).kind] ?? same;
}

const longestTyped = 400;

/** An id has one spelling, whatever surrounds it. */
const asPasted = (text: string) => (text.length > longestTyped ? [] : [asTyped(text)]);

/**
 * Spellings of a fixed-form text that a keyboard or library may produce: full-width, capitals, grouped digits, `de_CH`.
 */
function spellings(text: string): string[] {
  if (text.length > longestTyped) return [];
  const plain = asTyped(text);
  const digits = plain.replace(/[\s\p{Pd}]/gu, '');
  return [plain, plain.toLowerCase(), plain.replaceAll('_', '-'), ...(/^\d+$/.test(digits) ? [digits] : [])];
}

/** A string of any number of lines in a response of another home, bounded by the item that carries it. */
export const readAnswerText: ReadValue = (value, path) => {
  if (typeof value !== 'string' || !value.isWellFormed()) throw badField(path, 'must be a string');
  return cleanLines(value);
};

function clean(value: string, rules: TextRules, path: string): string {
  if (rules.kind === 'line') return cleanLine(value);
  if (rules.kind === 'lines') return cleanLines(value);
  if (hasControlCharacters(value)) throw badField(path, 'must not hold control characters or line breaks');
  return value;
}

function checkLength(text: string, rules: TextRules, path: string): void {
  const { minLength, maxLength } = rules;
  // A code point is one or two UTF-16 units, so most lengths need no counting.
  if (text.length <= maxLength && (text.length >= 2 * minLength || (minLength === 1 && text.length > 0)))
    return;
  const count = countCharacters(text);
  if (count >= minLength && count <= maxLength) return;
  const range = rangeWords(minLength === 0 ? undefined : minLength, maxLength);
  throw badField(path, `must have ${range} characters; it has ${count}`, {
    range: { of: 'characters', least: minLength, most: maxLength },
  });
}

const base64url = /^[A-Za-z0-9_-]*$/;

/** Bytes as unpadded base64url; length limits count bytes. */
export function bytesReader(field: DescField, bounds: Bounds): ReadValue {
  const { minLength, maxLength } = textRulesOf(field, bounds);
  return (value, path) => {
    if (typeof value !== 'string' || !base64url.test(value)) {
      throw badField(path, 'must be base64url without padding');
    }
    const size = Math.floor((value.length * 3) / 4);
    if (size < minLength || size > maxLength) {
      const range = rangeWords(minLength === 0 ? undefined : minLength, maxLength);
      throw badField(path, `must be ${range} bytes in base64url; it is ${size}`);
    }
    const bytes = Buffer.from(value, 'base64url');
    // Stray bits in the last letter would give the same bytes several spellings.
    if (bytes.toString('base64url') !== value) throw badField(path, 'must be base64url without padding');
    return new Uint8Array(bytes);
  };
}
