import type { DescField } from '@bufbuild/protobuf';
import { countCharacters } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { type Bounds, mayBeId, type TextRules, textRulesOf } from '../field-rules.ts';
import { cleanLine, cleanLines, hasControlCharacters } from '../text.ts';
import type { ReadValue } from './read-value.ts';
import { rangeWords } from './refuse.ts';

/**
 * Strings: cleaned as the field's kind of text asks, then held to its length and pattern.
 *
 * @param ownHome other homes write ids of it as r:<home>:<id>: that is the id
 */
export function textReader(field: DescField, bounds: Bounds, ownHome?: string): ReadValue {
  const rules = textRulesOf(field, bounds);
  const own = ownHome !== undefined && mayBeId(field) ? `r:${ownHome}:` : null;
  const pattern = rules.pattern === null ? null : new RegExp(`^(?:${rules.pattern})$`, 'u');
  return (given, path) => {
    if (typeof given !== 'string') throw badField(path, 'must be a string');
    if (!given.isWellFormed())
      throw badField(path, 'must be valid Unicode; it holds half of a surrogate pair');
    const value = own !== null && given.startsWith(own) ? given.slice(own.length) : given;
    // Far too long even if cleaning took most of it away: not worth cleaning.
    if (value.length > 4 * rules.maxLength + 1_000) checkLength(value, rules, path);
    const text = clean(value, rules, path);
    checkLength(text, rules, path);
    if (pattern !== null && !pattern.test(text)) throw badField(path, `must be ${rules.patternWords}`);
    return text;
  };
}

/** A string in what another home answers, of several lines at most: bounded by the item that it came in. */
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
  // A code point is one or two UTF-16 units, so most lengths are known without counting.
  if (text.length <= maxLength && (text.length >= 2 * minLength || (minLength === 1 && text.length > 0)))
    return;
  const count = countCharacters(text);
  if (count >= minLength && count <= maxLength) return;
  const range = rangeWords(minLength === 0 ? undefined : minLength, maxLength);
  throw badField(path, `must have ${range} characters; it has ${count}`);
}

const base64url = /^[A-Za-z0-9_-]*$/;

/** Bytes as unpadded base64url; lengths count bytes. */
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
    // Bits left over in the last letter would make several spellings of the same bytes.
    if (bytes.toString('base64url') !== value) throw badField(path, 'must be base64url without padding');
    return new Uint8Array(bytes);
  };
}
